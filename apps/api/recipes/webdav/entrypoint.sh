#!/bin/sh
# Serves the files of the disk, to who knows the user and password of the project's variables.
set -eu
umask 077

mkdir -p /data/files
# An empty one would let everybody in.
export RCLONE_USER="${USER_NAME:?}" RCLONE_PASS="${USER_PASSWORD:?}"
unset USER_PASSWORD

exec rclone serve webdav --addr "0.0.0.0:$PORT" --config /tmp/rclone.conf --dir-cache-time 1s --vfs-cache-mode off /data/files
