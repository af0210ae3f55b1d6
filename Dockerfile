# One image for both services of docker-compose.yml: the gateway (default) and the sandbox.

# The oldest Node that the gateway supports. The image of Node 26 works too: it has libatomic, which its Node is linked with.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The bundler is a development package. No package reaches the image.
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.ts && node deploy/image/root.mjs /app /image

# Only Node, its libraries and the bundled programs: no shell, no package manager, one user.
FROM scratch
COPY --from=build /image /
# The commit: docker build --build-arg REVISION=$(git rev-parse HEAD) .
ARG REVISION=unknown
LABEL org.opencontainers.image.title="reseller-graph" \
  org.opencontainers.image.version="0.2.0" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.description="One typed GraphQL gateway over a domain reseller's two HTTP/JSON APIs." \
  org.opencontainers.image.licenses="MIT"
# A container that restarts with its /tmp starts from compiled code.
ENV NODE_ENV=production DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compiled
WORKDIR /app
USER 65532:65532
VOLUME /data
EXPOSE 4000
# Not readiness: a new container does not repair a journal that is not available.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 4000}/health/serving`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, so that SIGTERM reaches it. The flag is explained in docs/operating.md.
CMD ["node", "--no-allocation-site-pretenuring", "dist/main.js"]
