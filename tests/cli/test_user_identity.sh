#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A setup as an input is its text and its data; the kernel's source is told beside it, and measured.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang

cat >sums.cl <<'CL'
kernel void sums(global uint *words, const global uint *from)
{
    for (uint i = get_global_id(0); i < 64; i += get_global_size(0))
        words[i] += from[i];
    resizing_global_barrier();
}
CL
seq 64 >from.txt
setup sums '"words": {"count": 64}, "from": {"file": "from.txt"}'

measure() { check_exit 0 "$COOPBENCH" apps --cpu --app "$2" --mode specialised --verify --run-id "$1"; }
of() { python3 -c 'import json, sys
print(json.load(open(f"results/{sys.argv[1]}/run.json"))["cases"][0]["inputs"]["input"][sys.argv[2]])' "$1" "$2"; }
compared() { "$COOPBENCH" compare --baseline before "$1" --fail-on none 2>&1 || true; }

measure before ./sums.json
check_schema run.schema.json results/before/run.json
mkdir elsewhere
cp sums.cl sums.json from.txt elsewhere
measure moved "$PWD/elsewhere/sums.json"
check 'a copy is another input' test "$(of moved hash) $(of moved source)" = "$(of before hash) $(of before source)"
check 'a copy does not compare' eval '! compared moved | grep -q incomparable'

echo '// another way to add' >>sums.cl
measure edited ./sums.json
check 'an edited kernel is another input' test "$(of edited hash)" = "$(of before hash)"
check 'an edited kernel is not told' test "$(of edited source)" != "$(of before source)"
check 'an edited kernel does not compare' eval '! compared edited | grep -q incomparable'

seq 2 65 >from.txt
measure data ./sums.json
check 'other data are the same input' test "$(of data hash)" != "$(of before hash)"
check 'other data compare' eval 'compared data | grep -q "incomparable.*input sums.json: hash"'
