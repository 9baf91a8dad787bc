#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A machine with nothing on it, for as long as a script runs: debootstrap's smallest system, and what is laid into it.
#
# usage: machine.sh SUITE [FROM:TO]... <SCRIPT     as root; SCRIPT is bash, run by root in there; each FROM is copied to TO
#
# The system is kept in build/bare/SUITE and never written to: changes lie above it and are gone at the end, as are all
# processes. Compiled files are shared with this machine's ccache as /ccache, unless KINGPOST_BARE_CCACHE=none. Exits with
# 77 where such a machine cannot be had.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(cd "$here/../.." && pwd)/build/bare

cannot() {
  echo "bare: $*" >&2
  exit 77
}

mirror_of() {
  case $1 in
    focal | jammy | noble) echo http://archive.ubuntu.com/ubuntu ;;
    *) echo http://deb.debian.org/debian ;;
  esac
}

# All Ubuntus are put together in the same way; debootstrap only may not know the newest by name.
script_of() {
  [ -e "/usr/share/debootstrap/scripts/$1" ] || echo gutsy
}

make_base() {
  local suite=$1 base="$folder/$1" partial
  [ ! -d "$base" ] || return 0
  [ "$(id -u)" = 0 ] || cannot "needs root, for debootstrap and chroot"
  command -v debootstrap >/dev/null || cannot "needs debootstrap (and ubuntu-keyring for Ubuntu)"
  mkdir -p "$folder"
  partial=$(mktemp -d "$folder/$suite.XXXX")
  # shellcheck disable=SC2046  # nothing, or one word
  debootstrap --variant=minbase --components=main,universe "$suite" "$partial" "$(mirror_of "$suite")" $(script_of "$suite") \
    >"$folder/$suite.log" 2>&1 || { rm -rf "$partial"; cannot "no $suite to be had: $(tail -1 "$folder/$suite.log")"; }
  chmod 755 "$partial"
  mv "$partial" "$base"
}

# What a machine has before anybody has done anything: names of hosts, and whom to trust. Packages that are gone in ten
# minutes need no sync of each file.
connect() {
  local root=$1
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/bare"
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  if [ -n "${PIP_CERT:-}" ]; then cp -L "$PIP_CERT" "$root/etc/trusted.pem"; fi
}

settings() {
  local name
  echo PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive
  for name in http_proxy https_proxy no_proxy PIP_INDEX_URL GOPROXY GOSUMDB npm_config_registry KINGPOST_WERROR; do
    [ -z "${!name:-}" ] || echo "$name=${!name}"
  done
  if [ -n "${PIP_CERT:-}" ]; then  # for pip, for Node.js, for Go and git
    for name in PIP_CERT NODE_EXTRA_CA_CERTS SSL_CERT_FILE GIT_SSL_CAINFO; do echo "$name=/etc/trusted.pem"; done
  fi
  [ ! -d "$1/ccache" ] || echo "CCACHE_DIR=/ccache"
}

# In a mount and process namespace of its own, so that nothing is left mounted and nobody left running.
inside() {
  local base="$folder/$1" own root place
  shift
  own=$(mktemp -d "$folder/run.XXXX")
  root="$own/root"
  mkdir "$own/upper" "$own/work" "$root"
  chmod 755 "$own" "$own/upper" "$root"
  # shellcheck disable=SC2064  # the folder of now
  trap "umount -R -l '$root'; rm -rf '$own'" EXIT
  mount -t overlay overlay -o "lowerdir=$base,upperdir=$own/upper,workdir=$own/work" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  connect "$root"
  if [ "${KINGPOST_BARE_CCACHE:-}" != none ] && [ -d "${CCACHE_DIR:-$HOME/.cache/ccache}" ]; then
    mkdir "$root/ccache"
    mount --bind "${CCACHE_DIR:-$HOME/.cache/ccache}" "$root/ccache"
  fi
  for place in "$@"; do
    mkdir -p "$(dirname "$root${place#*:}")"
    cp -a "${place%%:*}" "$root${place#*:}"
  done
  local -a variables
  mapfile -t variables < <(settings "$root" | tr ' ' '\n')
  chroot "$root" /usr/bin/env -i -C / "${variables[@]}" bash -euo pipefail -s
}

if [ "${1:-}" = --inside ]; then
  shift
  inside "$@"
  exit
fi
[ $# -gt 0 ] || { sed -n '3,9s/^# \?//p' "$0" >&2; exit 2; }
make_base "$1"
exec unshare --mount --propagation private --pid --fork --kill-child "$0" --inside "$@"
