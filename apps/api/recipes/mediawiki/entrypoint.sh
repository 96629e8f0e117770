#!/bin/sh
# Makes a wiki on an empty disk, or brings an older one to this version, and serves it.
set -eu
umask 077

maintenance=/usr/share/mediawiki/maintenance
mkdir -p /data/images /tmp/cache /tmp/install

if [ ! -d /data/database ]; then
  rm -rf /data/database.new
  printf '%s' "${ADMIN_PASSWORD:?}" >/tmp/install/password
  # The settings that the installer writes are not used: those of the image say the same.
  MW_CONFIG_FILE=/tmp/install/LocalSettings.php php "$maintenance/install.php" --confpath /tmp/install \
    --dbtype sqlite --dbname wiki --dbpath /data/database.new --server http://localhost --scriptpath '' \
    --passfile /tmp/install/password -- "$SITE_TITLE" "$ADMIN_USER"
  rm -r /tmp/install
  mv /data/database.new /data/database
fi
unset ADMIN_PASSWORD
# Does nothing to a database that is of this version.
php "$maintenance/update.php" --quick

exec apache2 -DFOREGROUND
