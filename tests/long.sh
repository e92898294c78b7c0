#!/bin/bash
# What takes longer than tests/run.sh should: longer random runs (programs, damaged shaders) with seeds that change from
# run to run (printed), in the debug build and with the sanitizers. The last line is `N passed, N failed, N skipped`.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

export TESSERA_SEED=${TESSERA_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
export TESSERA_LONG=${TESSERA_LONG:-20}
echo "TESSERA_SEED=$TESSERA_SEED TESSERA_LONG=$TESSERA_LONG"
exec "$root/tests/run.sh" --preset debug --preset asan "$@"
