# Two stages: the web app is built with the tools of development, and the image keeps only what runs.
FROM node:24-slim AS build
WORKDIR /nephos
COPY . .
RUN node tools/run.mjs prepare

FROM node:24-slim
# git, ssh and python3 are what deployments of people's own apps use, bubblewrap, iproute2 and nftables what keeps them apart
# where the container may, mariadb-server and redis-server what their MySQL and Redis databases do; tini reaps what these
# leave behind. The data folders that the packages make are not ours.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    bubblewrap ca-certificates git iproute2 mariadb-server nftables openssh-client python3 python3-venv redis-server \
    tini \
  && rm -rf /var/lib/apt/lists/* /var/lib/mysql /var/lib/redis
WORKDIR /nephos
COPY . .
COPY --from=build /nephos/apps/web/dist apps/web/dist
COPY --from=build /nephos/node_modules/.nephos-built node_modules/.nephos-built
RUN node tools/run.mjs prepare --production

# As root on purpose: each deployed app then runs under an unprivileged account of its own, apart from the console.
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_ENV=production
VOLUME /data
# The console; people's PostgreSQL, MySQL and Redis databases; DNS.
EXPOSE 3000 5433 3307 6380 5353/udp 5353/tcp
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok || answer.status === 429 ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--"]
# What `npm start` runs.
CMD ["node", "tools/run.mjs", "start"]
