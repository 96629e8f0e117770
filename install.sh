#!/bin/sh
# Installs Nephos as a service of systemd on Debian or Ubuntu, or lays a release beside the others there. Run as root:
#
#   sh install.sh --from https://releases.example.com/nephos --domain console.example.com --email you@example.com
#
# It can be run again: the version, the settings and the data that are there are kept, units and sockets brought up to date.
set -eu
# Apps run as other accounts, with what lies in the release.
umask 022

# Whoever makes a release puts the public key in here that it is signed by.
RELEASE_KEY=''
IDENTITY=nephos
NAMESPACE=nephos-release

usage() {
  cat <<'TEXT'
sh install.sh --from <folder or https address> [options]

  --from <place>      where the release lies: nephos-<version>.tar.gz, SHA256SUMS and SHA256SUMS.sig
  --version <text>    which one; otherwise what the file `latest` there names
  --key <file>        the public key that releases are signed by, instead of the one in this script
  --domain <name>     the console's host name: it answers by HTTPS with a certificate of Let's Encrypt
  --email <address>   where Let's Encrypt writes to; with --domain
  --apps <name>       apps are at names below this one, instead of below the console's
  --dns <address>     answer DNS on port 53 of this address
  --root <folder>     install below this folder and start nothing
  --release-only      lay the release beside the others and print its folder; neither settings nor service
TEXT
}

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

from='' version='' key='' domain='' email='' apps='' dns='' root='' release_only=''
while [ $# -gt 0 ]; do
  case $1 in
    --from | --version | --key | --domain | --email | --apps | --dns | --root)
      [ $# -ge 2 ] || fail "$1 needs a value"
      option=${1#--}
      # Each is one of the names above.
      eval "$option=\$2"
      shift 2
      ;;
    --release-only) release_only=1 && shift ;;
    --help | -h) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
  esac
done

home=${NEPHOS_HOME:-$root/opt/nephos}
settings=$root/etc/nephos
data=$root/var/lib/nephos
units=$root/etc/systemd/system
programs=$root/usr/local/bin

check_machine() {
  [ "$(id -u)" = 0 ] || [ -n "$root$release_only" ] || fail 'run it as root'
  # Nothing is laid where there is nothing that would run it.
  [ -d /run/systemd/system ] || [ -n "$root$release_only" ] ||
    fail 'systemd does not run here: use Docker, or npm start in a clone, as the README says'
  for program in node npm git curl tar sha256sum ssh-keygen; do
    command -v "$program" >/dev/null || fail "$program is missing: apt-get install nodejs npm git curl openssh-client"
  done
  major=$(node --print 'process.versions.node.split(".")[0]')
  [ "$major" -ge 20 ] || fail "Node 20 or later is needed, and this is $major"
  case $domain$email$apps$dns in
    *[!A-Za-z0-9.:@+_-]*) fail 'a domain, address or email has a character that none has' ;;
  esac
  if [ -n "$domain" ] && [ -z "$email" ]; then fail '--domain needs --email'; fi
}

# What is fetched lies in a folder that nobody else can write, until it is known to be what it should be. A place that sends
# nothing, or nearly, is given up.
fetch() {
  case $from in
    https://*)
      curl --fail --silent --show-error --location --proto '=https' --max-filesize 500000000 --connect-timeout 20 \
        --speed-limit 1000 --speed-time 60 --output "$work/$1" "$from/$1" || fail "$from/$1 cannot be fetched"
      ;;
    http://* | '') fail '--from must be a folder or an https address' ;;
    *) cp "$from/$1" "$work/$1" || fail "$from/$1 cannot be read" ;;
  esac
}

# An installation trusts the key that its first release came with, whatever a later copy of this script has in it.
choose_key() {
  if [ -n "$key" ]; then
    RELEASE_KEY=$(cat "$key")
  elif [ -s "$settings/release.pub" ]; then
    RELEASE_KEY=$(cat "$settings/release.pub")
  fi
}

# Nothing is unpacked, let alone run, before the signature of the sums and the sum of the archive are right.
verify() {
  [ -n "$RELEASE_KEY" ] || fail 'this copy has no key of releases in it: name one by --key'
  printf '%s namespaces="%s" %s\n' "$IDENTITY" "$NAMESPACE" "$RELEASE_KEY" >"$work/signers"
  ssh-keygen -Y verify -f "$work/signers" -I "$IDENTITY" -n "$NAMESPACE" -s "$work/SHA256SUMS.sig" \
    <"$work/SHA256SUMS" >/dev/null 2>&1 || fail 'the signature of SHA256SUMS is not of the key of releases: nothing was installed'
  (cd "$work" && grep -x "[0-9a-f]\{64\}  $archive" SHA256SUMS | sha256sum --check --strict --status -) ||
    fail "$archive is not what SHA256SUMS says: nothing was installed"
}

# Whoever holds the place that releases come from can offer an old one again, which was signed once. What a newer version made
# of the database an older one cannot read, but for the one before, which lies here.
refuse_older() {
  [ -L "$home/current" ] || return 0
  serving=$(basename "$(readlink "$home/current")")
  # To sort(1) it is ~ that comes before the end of a version, as in 1.0.0~rc1.
  newest=$(printf '%s\n%s\n' "$version" "$serving" | sed 's/-/~/' | sort -V | tail -n 1 | sed 's/~/-/')
  [ "$newest" = "$version" ] || fail "$version is older than $serving, which serves, and cannot take its place"
}

# The release appears under its name once it is whole. A half one goes, since the disk may be full, or is begun again.
lay_release() {
  work=$(mktemp -d)
  half=
  trap 'rm -rf "$work" ${half:+"$half"}' EXIT
  if [ -z "$version" ]; then
    fetch latest
    version=$(cat "$work/latest")
  fi
  case $version in '' | .* | *[!A-Za-z0-9.+-]*) fail "'$version' is not a version" ;; esac
  archive=nephos-$version.tar.gz
  release=$home/releases/$version
  if [ -d "$release" ]; then return; fi
  refuse_older
  fetch SHA256SUMS
  fetch SHA256SUMS.sig
  fetch "$archive"
  verify
  half=$home/releases/.$version
  rm -rf "$half"
  mkdir -p "$half"
  tar --extract --gzip --file "$work/$archive" --directory "$half" --strip-components 1 \
    --no-same-owner --no-same-permissions
  (cd "$half" && node tools/run.mjs prepare --production) >&2 || fail 'what the release needs could not be installed'
  sync -f "$half"
  mv -T "$half" "$release"
}

write_settings() {
  mkdir -p "$settings" "$data"
  chmod 711 "$data"
  if [ -n "$RELEASE_KEY" ]; then printf '%s\n' "$RELEASE_KEY" >"$settings/release.pub"; fi
  if [ -f "$settings/nephos.env" ]; then
    if [ -n "$domain$apps$dns" ]; then echo "The settings in $settings/nephos.env stay as they are: change them there." >&2; fi
    return
  fi
  {
    echo '# Settings of Nephos, as docs/settings.md lists them. After a change: systemctl restart nephos'
    echo 'DATA_DIR=/var/lib/nephos'
    echo 'HOST=0.0.0.0'
    echo 'PORT=80'
    if [ -n "$domain" ]; then
      echo 'HTTPS_PORT=443'
      echo "PUBLIC_URL=https://$domain"
      echo "APPS_DOMAIN=${apps:-$domain}"
      echo "ACME_EMAIL=$email"
    fi
    if [ -n "$dns" ]; then
      echo 'DNS_PORT=53'
      echo "DNS_HOST=$dns"
    fi
    # Where `nephos upgrade` looks for newer versions.
    case $from in https://*) echo "RELEASES=$from" ;; esac
  } >"$settings/nephos.env.new"
  chmod 600 "$settings/nephos.env.new"
  mv "$settings/nephos.env.new" "$settings/nephos.env"
}

write_units() {
  mkdir -p "$units" "$programs"
  cp "$home"/current/deploy/*.service "$home"/current/deploy/*.socket "$units/"
  cp "$home/current/deploy/nephos" "$programs/nephos.new"
  chmod 755 "$programs/nephos.new"
  mv -T "$programs/nephos.new" "$programs/nephos"
  sockets=nephos-http.socket
  if grep -q '^HTTPS_PORT=443$' "$settings/nephos.env"; then sockets="$sockets nephos-https.socket"; fi
  address=$(sed -n 's/^DNS_HOST=//p' "$settings/nephos.env")
  if grep -q '^DNS_PORT=53$' "$settings/nephos.env" && [ -n "$address" ]; then
    case $address in *:*) address="[$address]" ;; esac
    for kind in udp:Datagram tcp:Stream; do
      mkdir -p "$units/nephos-dns-${kind%:*}.socket.d"
      printf '[Socket]\nListen%s=\nListen%s=%s:53\n' "${kind#*:}" "${kind#*:}" "$address" \
        >"$units/nephos-dns-${kind%:*}.socket.d/address.conf"
    done
    sockets="$sockets nephos-dns-udp.socket nephos-dns-tcp.socket"
  fi
}

start() {
  if [ -n "$root" ]; then
    # shellcheck disable=SC2086 # a list of words
    if command -v systemctl >/dev/null; then systemctl --quiet --root="$root" enable nephos.service $sockets; fi
    return
  fi
  systemctl daemon-reload
  # shellcheck disable=SC2086 # a list of words
  systemctl --quiet enable nephos.service $sockets
  # A socket cannot be opened for a service that runs without it.
  for socket in $sockets; do
    # shellcheck disable=SC2086 # a list of words
    systemctl is-active --quiet "$socket" || systemctl stop nephos.service $sockets
  done
  # shellcheck disable=SC2086 # a list of words
  systemctl start $sockets || fail 'a port is taken: ss -lntup shows by what; stop that and run this again'
  systemctl start nephos.service
  port=$(sed -n 's/^PORT=//p' "$settings/nephos.env")
  tries=120
  until curl --silent --fail --max-time 5 --output /dev/null "http://127.0.0.1:$port/readyz"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || fail 'it did not become ready: journalctl -u nephos says why'
    sleep 1
  done
  url=$(sed -n 's/^PUBLIC_URL=//p' "$settings/nephos.env")
  echo "Nephos is ready at ${url:-http://$(hostname -I | cut -d ' ' -f 1)}"
}

check_machine
choose_key
# An installation goes on with the version that it has: `nephos upgrade` changes it, and returns if it must.
if [ -n "$release_only" ] || [ ! -L "$home/current" ]; then lay_release; fi
if [ -n "$release_only" ]; then
  echo "$release"
  exit 0
fi
if [ ! -L "$home/current" ]; then ln -s "releases/$version" "$home/current"; fi
write_settings
write_units
start
