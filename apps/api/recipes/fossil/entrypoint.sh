#!/bin/sh
# Makes a repository on an empty disk, or brings an older one to this version, and serves it.
set -eu
umask 077

export HOME=/data USER=admin
if [ ! -f /data/project.fossil ]; then
  : "${ADMIN_PASSWORD:?}"
  rm -f /data/new.fossil
  fossil new --admin-user admin /data/new.fossil >/dev/null
  fossil sqlite --repository /data/new.fossil >/dev/null <<SQL
update user set cap = '' where login in ('anonymous', 'developer', 'nobody', 'reader');
SQL
  # Fossil asks for a new password twice, and reads it from the standard input where that is no terminal.
  printf '%s\n%s\n' "$ADMIN_PASSWORD" "$ADMIN_PASSWORD" | fossil user password admin --repository /data/new.fossil >/dev/null
  mv /data/new.fossil /data/project.fossil
fi
unset ADMIN_PASSWORD
fossil rebuild --ifneeded /data/project.fossil

# The proxy speaks HTTP with Fossil, which would send visitors from https to there.
case "${SITE_URL:-}" in https:*) set -- --https ;; esac
exec fossil server "$@" --port "$PORT" /data/project.fossil
