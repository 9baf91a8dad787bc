#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what ./dev package made (build/dist) on machines with nothing on them, and deploys the quickstart there with each
# form of it. usage: install.sh [SUITE]...    bookworm, the older bullseye, the newer trixie and noble (Ubuntu 24.04)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=tests/bare/suites.sh
. "$here/suites.sh"
dist="$top/build/dist"
[ -f "$dist/SHA256SUMS" ] || { echo "bare: no release in $dist; run ./dev package first" >&2; exit 2; }

# shellcheck disable=SC2016  # expanded in there
readonly SCRIPT='
say() { echo "── $SUITE: $*" >&2; }
install() { apt-get install -y -q --no-install-recommends "$@" >/dev/null; }
quickstart() { env PATH="/venv/bin:$PATH" KINGPOST_BIN="$1" PYTHON=/venv/bin/python /examples/quickstart/demo.sh >/tmp/demo.log || { cat /tmp/demo.log; exit 1; }; }

cd /dist
sha256sum --quiet -c SHA256SUMS
apt-get update -q >/dev/null

say "tarball"
mkdir /opt/kingpost
tar -xzf kingpost-*-linux-*.tar.gz -C /opt/kingpost --strip-components=1
/opt/kingpost/bin/kingpost version
[ "$(/opt/kingpost/lib/kingpost/bin/pulumi version)" = "$(/opt/kingpost/bin/kingpost version)" ]

say "Debian package"
install ./kingpost_*.deb
command -v kingpost
dpkg --verify kingpost
gzip -t /usr/share/man/man1/kingpost-up.1.gz 2>/dev/null || grep -q "path-exclude.*man" -r /etc/dpkg/dpkg.cfg.d

say "quickstart"
install python3-venv
python3 -m venv /venv
/venv/bin/pip install -q --disable-pip-version-check pulumi
say "$(python3 --version), pulumi $(/venv/bin/pip list --disable-pip-version-check --format=freeze | sed -n "s/^pulumi==//p")"
quickstart /opt/kingpost/bin/kingpost
quickstart /usr/bin/kingpost
say "quickstart: created, changed, destroyed, twice"

apt-get purge -y -q kingpost >/dev/null
left=$(find /usr /etc /var/lib -name "*kingpost*")
[ -z "$left" ] || { say "left by the package: $left"; exit 1; }
rm -rf /opt/kingpost

tag=$(python3 -c "import sys; print(\"cp{}{}\".format(*sys.version_info))")
wheel=$(ls kingpost-*-"$tag"-*.whl 2>/dev/null || true)
if [ -z "$wheel" ]; then
  say "no wheel for $tag in this release"
else
  say "$wheel"
  /venv/bin/pip install -q --disable-pip-version-check "./$wheel"
  quickstart /venv/bin/kingpost
  mkdir /tmp/hello
  (cd /tmp/hello && PULUMI_CONFIG_PASSPHRASE=x /venv/bin/python /examples/module.py)
  say "the module deployed, changed and destroyed"
fi
'

# image: the steps of the Containerfile, where neither podman nor docker is at hand: RUN and COPY of a machine that is
# bookworm already.
image() {
  local run
  run=$(sed -e ':a' -e '/\\$/{N;s/\\\n//;ta' -e '}' "$dist/Containerfile" | sed -n 's/^RUN //p; s/^ARG \(LANGUAGES=.*\)/\1/p')
  "$here/machine.sh" bookworm "$dist:/dist" "$top/examples:/examples" <<<"cp /dist/kingpost_*.deb /tmp/
$run
test ! -e /tmp/kingpost_*.deb
mkdir /project && cd /project
setpriv --reuid=4711 --regid=4711 --clear-groups env HOME=/var/lib/kingpost kingpost --help | grep -q Commands:
python3 -m venv /venv
echo '── image: all is well' >&2"
}

[ $# -gt 0 ] || set -- bookworm bullseye trixie noble image
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$top/examples" "$scratch/examples"
cp "$here/module.py" "$scratch/examples/"
try_suite() {
  if [ "$1" = image ]; then image
  else "$here/machine.sh" "$1" "$dist:/dist" "$scratch/examples:/examples" <<<"SUITE=$1$SCRIPT"
  fi
}
try_suites "$@"
