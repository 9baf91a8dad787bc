#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The quickstart from nothing to nothing: deploys, looks, changes one input, shows the plan, applies it, destroys.
# usage: demo.sh        needs the kingpost command (KINGPOST_BIN) and a Python with the package pulumi (PYTHON);
#                       both default to what `./dev build` leaves. Everything happens in a temporary folder.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
kingpost=${KINGPOST_BIN:-$top/build/bin/kingpost}
python=${PYTHON:-$top/.venv/bin/python}
for tool in "$kingpost" "$python"; do
  command -v "$tool" >/dev/null || { echo "demo: $tool is missing; run ./dev build first" >&2; exit 2; }
done

scratch=$(mktemp -d)
mkdir "$scratch/state" "$scratch/home"
cp -r "$here" "$scratch/project"
rm -rf "$scratch/project/deployed"
cd "$scratch/project"
export PULUMI_BACKEND_URL="file://$scratch/state" PULUMI_HOME="$scratch/home" PULUMI_SKIP_UPDATE_CHECK=true
export PULUMI_CONFIG_PASSPHRASE=a-passphrase-for-the-demo PULUMI_PYTHON_CMD="$python" PYTHONDONTWRITEBYTECODE=1
PATH="$(dirname "$python"):$PATH"

up=no
clean() {
  code=$?
  if [ "$up" = yes ]; then
    echo "demo: stopped early; removing what it made" >&2
    "$kingpost" destroy --yes --skip-preview --stack demo >&2 || true
  fi
  cd "$top" && rm -rf "$scratch"
  exit "$code"
}
trap clean EXIT
trap 'exit 130' INT TERM

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\e[1;36m' plain=$'\e[0m'; fi
heading() { printf '\n%s== %s ==%s\n\n' "$bold" "$1" "$plain"; }
run() { printf '$ kingpost %s\n' "$*"; "$kingpost" "$@"; }
output() { "$kingpost" stack output "$1" --stack demo "${@:2}"; }
get() { "$python" - "$@" <<'PY'
import base64, sys, urllib.error, urllib.request
url, *password = sys.argv[1:]
request = urllib.request.Request(url)
if password:
    request.add_header("Authorization", "Basic " + base64.b64encode(f"admin:{password[0]}".encode()).decode())
try:
    with urllib.request.urlopen(request, timeout=10) as answer:
        print(answer.read().decode().strip())
except urllib.error.HTTPError as error:
    print(error.code, error.reason)
except urllib.error.URLError as error:
    print("nobody answers")
PY
}
expect() {  # expect TEXT URL [PASSWORD]: fetches, shows, and insists that the text is there
  local text=$1 answer
  answer=$(get "${@:2}")
  printf 'GET %s\n%s\n' "$2" "$answer" | sed '2,$s/^/    /'
  case $answer in *"$text"*) ;; *) echo "demo: expected \"$text\" in the answer" >&2; exit 1 ;; esac
}

heading "1. A new stack, its state in a local folder"
run stack init demo

heading "2. Deploy: pages, a SQLite database, a secret password, a web server"
up=yes
run up --yes --skip-preview --stack demo
url=$(output url)

heading "3. It is real: the pages are served, the database answers, the password works"
expect "The Harbour Library" "$url/"
expect "Joseph Conrad" "$url/api/books"
expect "401" "$url/admin"
expect "welcome" "$url/admin" "$(output admin_password --show-secrets)"
password=$(output admin_password --show-secrets)
if grep -rqF "$password" "$scratch/state"; then echo "demo: the password is in the state in clear" >&2; exit 1; fi
echo "the password is nowhere in the state in clear"

heading "4. Change one input and look at the plan"
run config set title "The Night Ferry Library" --stack demo
run preview --diff --stack demo
expect "The Harbour Library" "$url/"

heading "5. Apply it: only the front page changes"
run up --yes --skip-preview --stack demo
expect "The Night Ferry Library" "$url/"

heading "6. Destroy everything"
run destroy --yes --skip-preview --stack demo
up=no
run stack rm --yes demo
expect "nobody answers" "$url/"
if [ -e deployed ]; then echo "demo: files are left: $(find deployed)" >&2; exit 1; fi
echo "no files, no database, no process: all is gone"
