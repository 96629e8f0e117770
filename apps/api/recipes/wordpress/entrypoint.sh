#!/bin/bash
# Runs the database, the web server and what WordPress has to do on time. When one of them ends, all do.
set -eu

if [ ! -d /data/mariadb ]; then
  rm -rf /data/mariadb.new
  mariadb-install-db --datadir=/data/mariadb.new --auth-root-authentication-method=socket \
    --auth-root-socket-user=app --skip-test-db --skip-name-resolve >/dev/null
  mv /data/mariadb.new /data/mariadb
fi

mariadbd &
database=$!
finish() {
  # Apache ends its whole process group, which is this script's as well.
  trap '' TERM INT
  kill -TERM $(jobs -p) 2>/dev/null || true
  wait "$database" || true
}
trap finish EXIT
trap 'exit 143' TERM INT

until mariadb-admin --user=app ping --silent >/dev/null 2>&1; do
  kill -0 "$database"
  sleep 0.2
done
mariadb-upgrade --user=app --silent
sql() { mariadb --user=app --batch --skip-column-names --execute="$1"; }
if [ ! -e /data/installed ]; then
  # A first start that was cut short leaves tables without an administrator, which WordPress takes for a whole site.
  administrators=0
  tables=$(sql "select count(*) from information_schema.tables where table_schema = 'wordpress' and table_name = 'wp_usermeta'")
  if [ "$tables" != 0 ]; then
    administrators=$(sql "select count(*) from wordpress.wp_usermeta where meta_key = 'wp_capabilities' and meta_value like '%administrator%'")
  fi
  if [ "$administrators" = 0 ]; then sql 'drop database if exists wordpress'; fi
fi
sql 'create database if not exists wordpress character set utf8mb4'

# Copies, since the next release of Debian need not have the theme that the site uses.
mkdir -p /data/wp-content/plugins /data/wp-content/themes /data/wp-content/uploads
for folder in plugins themes; do
  rm -rf "/data/wp-content/$folder.new"
  for path in /usr/share/wordpress/wp-content/"$folder"/*; do
    if [ ! -e "/data/wp-content/$folder/${path##*/}" ]; then
      cp -RL "$path" "/data/wp-content/$folder.new"
      mv "/data/wp-content/$folder.new" "/data/wp-content/$folder/${path##*/}"
    fi
  done
done
[ -e /data/wp-content/languages ] || ln -s /usr/share/wordpress/wp-content/languages /data/wp-content/languages

php /opt/recipe/setup.php
[ -e /data/installed ]
unset ADMIN_PASSWORD

apache2 -DFOREGROUND &
while sleep 60; do php /opt/recipe/cron.php || true; done &
wait -n
