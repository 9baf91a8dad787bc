#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sourced. try_suites SUITE... calls the caller's `try_suite SUITE` for each and tells how it went; 77 says that the suite is
# not at hand, and that is the end if none is.
try_suites() {
  local suite code skipped=()
  for suite in "$@"; do
    code=0
    try_suite "$suite" || code=$?
    case $code in
      0) echo "$suite: passed" ;;
      77) skipped+=("$suite") ;;
      *) echo "$suite: failed" >&2; exit 1 ;;
    esac
  done
  [ ${#skipped[@]} -lt $# ] || exit 77
  [ ${#skipped[@]} = 0 ] || echo "not at hand: ${skipped[*]}"
}
