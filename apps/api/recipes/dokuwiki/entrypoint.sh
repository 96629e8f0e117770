#!/bin/sh
# Lays the disk out, with the defaults of this version beside what people have changed, and serves the wiki.
set -eu
umask 077

mkdir -p /data/conf /data/plugins /data/templates
if [ ! -d /data/data ]; then
  rm -rf /data/data.new
  cp -R /var/lib/dokuwiki/data /data/data.new
  mv /data/data.new /data/data
fi
for name in attic cache index locks log media media_attic media_meta meta pages tmp; do mkdir -p "/data/data/$name"; done

# Defaults are the image's; what people change is kept by DokuWiki in files of other names.
for path in /etc/dokuwiki/*; do
  case "${path##*/}" in
    *.local.* | *.auth.php | apache.conf | htaccess | local.php | preload.php) ;;
    # Styles and scripts of people's own have the names of these.
    user*) [ -e "/data/conf/${path##*/}" ] || cp "$path" /data/conf/ ;;
    *) cp -f "$path" /data/conf/ ;;
  esac
done
cp -f /opt/recipe/local.protected.php /data/conf/
for name in plugins tpl; do
  target="/data/$name"
  [ "$name" = tpl ] && target=/data/templates
  find "$target" -maxdepth 1 -xtype l -delete
  for path in /var/lib/dokuwiki/lib/"$name"/*; do
    [ -e "$target/${path##*/}" ] || ln -s "$path" "$target/"
  done
done

php /opt/recipe/setup.php
unset ADMIN_PASSWORD

exec apache2 -DFOREGROUND
