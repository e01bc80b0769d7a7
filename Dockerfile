# syntax=docker/dockerfile:1
# Three stages: dependencies and build; runtime dependencies only; the image that runs.
# The base is pinned to a release; renew it together with `npm run smoke`.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json dashboard/
COPY client/package.json client/
COPY widget/package.json widget/
RUN npm ci --include=dev --include=optional
COPY . .
RUN npm run build

FROM build AS runtime
RUN npm prune --omit=dev

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="Self-hosted customer messaging with an exact HTTP API and signed webhooks" \
      org.opencontainers.image.licenses="Apache-2.0"
# tini reaps the processes that the embedded PostgreSQL leaves to the container's first process.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 parley \
 && useradd --uid 10001 --gid parley --home-dir /data --no-create-home --shell /usr/sbin/nologin parley \
 && install --directory --owner=parley --group=parley --mode=0700 /data
WORKDIR /app
COPY --from=runtime --chown=root:root /app /app
USER parley
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=1 \
    HOST=0.0.0.0 \
    PORT=8080 \
    PARLEY_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=16", "bin/parley.mjs"]
CMD ["serve"]
