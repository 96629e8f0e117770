#!/bin/sh
# Makes the first account on an empty disk, and serves calendars and address books.
set -eu
umask 077

if [ ! -s /data/users ]; then
  : "${USER_PASSWORD:?}"
  printf '%s' "$USER_PASSWORD" | htpasswd -i -B -c /data/users.new "$USER_NAME"
  mv /data/users.new /data/users
fi
unset USER_PASSWORD

exec radicale --config /opt/recipe/radicale.conf --server-hosts "0.0.0.0:$PORT"
