#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The README's way to a new project, from a release (build/dist) on a machine with nothing on it, in each language: new, up, a
# change, up, destroy. Counts commands and seconds. usage: newcomer.sh [python|typescript|go]...
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dist=$(cd "$here/../.." && pwd)/build/dist
[ -f "$dist/SHA256SUMS" ] || { echo "bare: no release in $dist; run ./dev package first" >&2; exit 2; }

# shellcheck disable=SC2016  # expanded in there
readonly SCRIPT='
commands=0
run() { commands=$((commands + 1)); "$@"; }
cd /root
began=$SECONDS
run apt-get update -q >/dev/null
run apt-get install -y -q --no-install-recommends /dist/kingpost_*.deb ca-certificates $PACKAGES >/dev/null
installed=$((SECONDS - began))
run export PULUMI_BACKEND_URL=file://$HOME/stacks PULUMI_CONFIG_PASSPHRASE=choose-one
run mkdir -p ~/stacks site && run cd site
run kingpost new "$TEMPLATE" --yes >/tmp/new.log 2>&1 || { cat /tmp/new.log; exit 1; }
ready=$((SECONDS - began))
run kingpost up --yes --skip-preview
run sed -i "$CHANGE" "$FILE"
run kingpost up --yes --skip-preview | tee /tmp/second.log
grep -q "$EXPECTED" /tmp/second.log
run kingpost preview --expect-no-changes >/dev/null
run kingpost destroy --yes --skip-preview
[ -z "$(kingpost stack export | grep -o urn:pulumi:dev || true)" ]
echo "$TEMPLATE: $commands commands, $((SECONDS - began)) s, $installed of them for packages of Debian, $((ready - installed)) for new"
'

deploy() {
  "$here/machine.sh" "$1" "$dist:/dist" <<<"TEMPLATE=$2 PACKAGES='$3' FILE=$4 CHANGE='$5' EXPECTED='$6'$SCRIPT"
}

[ $# -gt 0 ] || set -- python typescript go
for language in "$@"; do
  case $language in
    python) deploy bookworm python-provider "python3 python3-venv" __main__.py "s/Change me/Changed/" "1 updated" ;;
    typescript) deploy bookworm typescript-provider "nodejs npm" index.ts "s/Change me/Changed/" "1 updated" ;;
    go) deploy trixie go-component golang-go main.go 's/String("world")/String("moon")/' moon ;;
    *) echo "usage: newcomer.sh [python|typescript|go]..." >&2; exit 2 ;;
  esac
done
