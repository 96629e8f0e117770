#!/bin/sh
# Makes keys and a configuration with a password on an empty disk, and runs Syncthing.
set -eu
umask 077

export HOME=/data
if [ ! -f /data/config/config.xml ]; then
  : "${ADMIN_PASSWORD:?}"
  rm -rf /data/config.new
  printf '%s' "$ADMIN_PASSWORD" | syncthing generate --home=/data/config.new --gui-user=admin --gui-password=- >/dev/null
  sed -i 's#<crashReportingEnabled>true<#<crashReportingEnabled>false<#; s#<urAccepted>0<#<urAccepted>-1<#' /data/config.new/config.xml
  mv /data/config.new /data/config
fi
unset ADMIN_PASSWORD

exec syncthing serve --home=/data/config --no-browser --no-restart --gui-address="http://0.0.0.0:$PORT"
