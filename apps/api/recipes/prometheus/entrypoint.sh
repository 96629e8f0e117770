#!/bin/sh
# Makes a first configuration on an empty disk, and serves with the password of the project's variables.
set -eu
umask 077

if [ ! -f /data/prometheus.yml ]; then
  sed "s/@PORT@/$PORT/" /opt/recipe/prometheus.yml >/data/prometheus.yml.new
  mv /data/prometheus.yml.new /data/prometheus.yml
fi
# Without a password, or with an empty hash of it, everybody would be let in.
printf '%s' "${ADMIN_PASSWORD:?}" >/tmp/password
hash=$(htpasswd -i -n -B admin </tmp/password | cut -d : -f 2)
: "${hash:?}"
unset ADMIN_PASSWORD
printf "basic_auth_users:\n  admin: '%s'\n" "$hash" >/tmp/web.yml

exec prometheus --config.file=/data/prometheus.yml --storage.tsdb.path=/data/metrics \
  --storage.tsdb.retention.size="$RETENTION_SIZE" --web.config.file=/tmp/web.yml \
  --web.listen-address="0.0.0.0:$PORT" --web.enable-remote-write-receiver --log.level=warn
