# The service as one image; ROLES decides what a container does (docs/configuration.md).
FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY src ./src
COPY projections ./projections
RUN mkdir /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 3000 9464
# No npm in between: signals reach the process itself, which drains within 25 s.
CMD ["node", "--disable-warning=ExperimentalWarning", "src/main.ts"]
