#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the wheel that ./dev wheel made (build/dist) on machines with nothing but Python, and tries the module there: the
# import, the command in it, the code of the guides, the pytest plugin, and tests of the module.
# usage: wheel.sh [SUITE]...    bookworm (Python 3.11), trixie (3.13), noble (3.12), as far as there is a wheel for them
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=tests/bare/suites.sh
. "$here/suites.sh"
compgen -G "$top/build/dist/kingpost-*.whl" >/dev/null || { echo "bare: no wheel in build/dist; run ./dev wheel first" >&2; exit 2; }

# shellcheck disable=SC2016  # expanded in there
readonly SCRIPT='
say() { echo "── $SUITE: $*" >&2; }
apt-get update -q >/dev/null
apt-get install -y -q --no-install-recommends python3 python3-venv >/dev/null
tag=$(python3 -c "import sys; print(\"cp{}{}\".format(*sys.version_info))")
wheel=$(ls /dist/kingpost-*-"$tag"-*.whl 2>/dev/null || true)
[ -n "$wheel" ] || { say "no wheel for $tag"; exit 77; }

python3 -m venv /venv
/venv/bin/pip install -q --disable-pip-version-check "$wheel"
cd /tmp
say "$(/venv/bin/python -c "import kingpost; print(\"import kingpost\", kingpost.__version__)")"
say "$(/venv/bin/kingpost --version)"
PULUMI_CONFIG_PASSPHRASE=x /venv/bin/python -c "
import kingpost
plan = kingpost.plan(None, [kingpost.Goal(\"a:b:C\", \"d\")])
assert [step.name for step in plan.steps_of(\"create\")][1:] == [\"d\"], plan.steps"
say "plans without the package pulumi"

/venv/bin/pip install -q --disable-pip-version-check "$wheel[testing]" networkx pyyaml pytest
mkdir /repo && cp -r /tests /docs /repo/ && cd /repo
/venv/bin/python -c "
import sys, kingpost.testing.plugin
loaded = {\"pulumi\", \"grpc\", \"hypothesis\"} & set(sys.modules)
assert not loaded, loaded"
say "the pytest plugin imports no more than it needs"
/venv/bin/python -m pytest --fixtures -q -c /dev/null --rootdir=/tmp /tmp | grep -q "^kingpost_stack" && say "pytest knows the fixtures"
export PATH=/venv/bin:$PATH PULUMI_CONFIG_PASSPHRASE=x
/venv/bin/python -m pytest -q -c /dev/null --rootdir=/repo -p no:cacheprovider -p no:kingpost $TESTS
'
readonly TESTS="tests/py/test_guide_code.py tests/py/test_module.py tests/py/test_module_functions.py \
  tests/py/test_module_providers.py tests/py/test_module_resource_classes.py tests/py/test_module_components.py \
  tests/py/test_module_policies.py tests/py/test_library.py tests/py/test_testing.py"

[ $# -gt 0 ] || set -- bookworm trixie noble
try_suite() {
  "$here/machine.sh" "$1" "$top/build/dist:/dist" "$top/tests:/tests" "$top/docs:/docs" \
    <<<"SUITE=$1; TESTS='$TESTS'; set -euo pipefail$SCRIPT"
}
try_suites "$@"
