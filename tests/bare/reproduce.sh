#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the release of this commit twice, in folders of different names, and compares the bytes. The second is compiled anew,
# whatever the compiler's cache holds; with --quick the cache is used. usage: reproduce.sh [--quick]
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if [ "${1:-}" != --quick ]; then again=(env CCACHE_RECACHE=1); else again=(env); fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

make_release() {
  local clone=$1
  shift
  mkdir -p "$(dirname "$clone")"
  git clone -q --no-hardlinks "$top" "$clone"
  "$@" "$clone/dev" package >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
}

make_release "$scratch/one" env
make_release "$scratch/elsewhere/and further down/two" "${again[@]}"
if ! diff "$scratch/one/build/dist/SHA256SUMS" "$scratch/elsewhere/and further down/two/build/dist/SHA256SUMS"; then
  echo "the two releases differ" >&2
  exit 1
fi
cat "$scratch/one/build/dist/SHA256SUMS"
