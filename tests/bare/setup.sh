#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The two commands of the README on a bare Debian 12: as root, and as somebody with sudo in a folder whose name has blanks and
# umlauts; again without a network; and ./dev clean leaves nothing but .venv. usage: setup.sh [root|sudo]...
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git clone -q --no-hardlinks "$here/../.." "$scratch/clone"

# shellcheck disable=SC2016  # expanded in there
# In what runs in there: alone COMMAND has no network but its own loopback; python3 is there after the first run.
readonly COMMON='
say() { echo "── bare: $*" >&2; }
alone() {
  unshare -n python3 -c "
import fcntl, os, socket, struct, sys
with socket.socket() as s:
    fcntl.ioctl(s, 0x8914, struct.pack(\"16sh\", b\"lo\", 1 | 64))  # up and running
try:
    socket.create_connection((\"deb.debian.org\", 80), 5)
    sys.exit(\"there is a network\")
except OSError:
    os.execvp(sys.argv[1], sys.argv[1:])
" "$@"
}
# nothing_left FOLDER: beside the sources there is what HACKING.md says, and no process.
nothing_left() {
  apt-get install -y -q --no-install-recommends git >/dev/null
  left=$(git -c safe.directory="*" -C "$1" status --short --ignored)
  [ "$left" = "!! .venv/" ] || { say "./dev clean left: $left"; exit 1; }
  ! ls -d /tmp/* 2>/dev/null || { say "files are left in /tmp"; exit 1; }
  ! grep -ls kingpost /proc/[0-9]*/comm || { say "a process is left"; exit 1; }
}
'

as_root() {
  "$here/machine.sh" bookworm "$scratch/clone:/opt/kingpost" <<<"$COMMON"'
    cd /opt/kingpost
    say "root: the first run"; time ./dev demo
    say "root: without a network"; time alone ./dev demo
    ./dev clean
    nothing_left /opt/kingpost
    say "root: all is well"'
}

# The cache belongs to root, and is only read; ccache wants to write its temporary files nevertheless.
# shellcheck disable=SC2016
with_sudo() {
  "$here/machine.sh" bookworm "$scratch/clone:/home/someone/Käthes kleine Häuser/kingpost" <<<"$COMMON"'
    apt-get update -q >/dev/null
    apt-get install -y -q --no-install-recommends sudo >/dev/null
    useradd -M -s /bin/bash someone
    echo "someone ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/someone
    chown -R someone: /home/someone
    home="/home/someone/Käthes kleine Häuser/kingpost"
    someone=(setpriv --reuid=someone --regid=someone --init-groups
      env HOME=/home/someone CCACHE_READONLY=1 CCACHE_TEMPDIR=/home/someone/.ccache)
    cd "$home"
    say "sudo: the first run"; time "${someone[@]}" ./dev demo
    say "sudo: without a network"; time alone "${someone[@]}" ./dev demo
    "${someone[@]}" ./dev clean
    nothing_left "$home"
    say "sudo: all is well"'
}

[ $# -gt 0 ] || set -- root sudo
for who in "$@"; do
  case $who in
    root) as_root ;;
    sudo) with_sudo ;;
    *) echo "usage: setup.sh [root|sudo]..." >&2; exit 2 ;;
  esac
done
