#!/bin/bash
# What takes longer than tests/run.sh should: the whole suite with 20 times the random cases and a new seed (printed), in
# the debug build, then with the address and undefined-behaviour sanitizers; scenes and shell tests with the shared
# library. The random tests are the fuzzing: random programs, on the interpreter and as machine code, opcodes, formats,
# triangles, draws and texture states against slow oracles, and damaged shaders, scenes, meshes and pictures.
# TESSERA_SEED=N TESSERA_LONG=N tests/run.sh --preset NAME --only PART repeats a failure.
# Before that, the libFuzzer targets of tests/fuzz run for TESSERA_FUZZ seconds each (default 600; 0: not at all).
# Arguments are those of tests/run.sh. The last line is `N passed, N failed, N skipped`.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

export TESSERA_SEED=${TESSERA_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
export TESSERA_LONG=${TESSERA_LONG:-20}
fuzz_seconds=${TESSERA_FUZZ:-600}
[ "$fuzz_seconds" -eq 0 ] || "$root/tests/fuzz/run.sh" "$fuzz_seconds"
echo "TESSERA_SEED=$TESSERA_SEED TESSERA_LONG=$TESSERA_LONG"
exec "$root/tests/run.sh" --preset debug --preset asan --preset shared "$@"
