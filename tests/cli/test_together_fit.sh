#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Apps that do not fit in one megakernel, and one of two that is wrong: what the row says.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources

# together CODE OPTION...: with its document in document.json.
together() {
  check_exit "$1" "$COOPBENCH" multitask --cpu --together --scale tiny --policy fixed --runs 1 --budget 0.02 \
    --wait-deadline 2000 --progress-deadline 30 --json document.json "${@:2}"
}

# reason PATTERN STATUS: of the only row.
reason() {
  check_json document.json "[c['status'] for c in d['cases']] == ['$2']" \
    "re.search(r'''$1''', d['cases'][0]['reason'])"
}

# ---- Local memory --------------------------------------------------------------------------------

"$COOPBENCH" list devices --json - >devices.json 2>err
most=$(python3 -c 'import json; print(next(d["local_mem_bytes"] for d in json.load(open("devices.json"))["devices"]
  if d["type"] == "cpu"))')

# Workgroups of 16 fit, and those of 64, which game wants, do not.
plant sources/apps/mst/mst.cl "s|^#define COOP_LOCAL .*|& uint planted[COOP_WG_SIZE * ($most / 128)];|"
together 77 --app mst,game
reason "^mst and game in one kernel, of 64 work-items a workgroup: a workgroup of 64 work-items needs [0-9]+ bytes of local "\
"memory, the device has $most \(.* of the runtime's\)\. Alone with as many, mst does not fit either, game needs [0-9]+ bytes of local memory" unsupported
reason "the device has $most bytes of local memory\. --wg-size makes workgroups smaller, --registers .*another pair" unsupported
together 0 --app mst,game --wg-size 16
check_exit 77 "$COOPBENCH" multitask --cpu --app mst --beside game --wg-size 64 --scale tiny --workload light --groups 1 \
  --barrier atomic --runs 1 --warmup 0 --tasks 2 --json document.json
reason "^mst and game in one kernel, of 64 work-items a workgroup: .* needs [0-9]+ bytes of local memory" unsupported

# A kernel of the user's that no neighbour would help.
if "$COOPBENCH" merge /dev/null 2>err || ! grep -q libclang err; then
  sed "s/MANY/$((most / 2))/" >big.cl <<'CL'
kernel void big(global uint *numbers, uint n)
{
    local uint piece[MANY];
    for (transmit uint round = 0; round < n; round++) {
        piece[get_local_id(0)] = round;
        barrier(CLK_LOCAL_MEM_FENCE);
        numbers[get_global_id(0)] = piece[get_local_size(0) - 1 - get_local_id(0)];
        resizing_global_barrier();
    }
}
CL
  echo '{"schema": "coopbench-setup", "schema_version": "1.0", "kernel": "big.cl",
    "arguments": {"numbers": {"count": 100000}, "n": 3}}' >big.json
  together 77 --app ./big.json,game
  reason "^big alone, without game: a workgroup of [0-9]+ work-items needs [0-9]+ bytes of local memory, the device has $most" \
    unsupported
fi

# ---- Workgroups ----------------------------------------------------------------------------------

check_exit 2 "$COOPBENCH" multitask --cpu --together --app bfs,game --share 0
check_stderr "share: '0' is no number of workgroups that leaves some to the other app: 5, N/4"
together 77 --app bfs,game --workgroups 3 --share 3
reason '^a share of 3 workgroups leaves none of 3 to the other app: 1 to 2 can be' unsupported
together 77 --app bfs,game --workgroups 3 --share 4
reason '^4 workgroups asked for, but only 3 run at once' unsupported

# ---- Which of the two is wrong -------------------------------------------------------------------

# Only where there are others.
wrong='s/\(game_report(A, node, game_value(.*)\), run);/\1 + GAME_PLANTED, run);/'
plant sources/apps/game/game.cl "$wrong;1i #ifdef COOP_KERNELS\n#define GAME_PLANTED 1\n#else\n#define GAME_PLANTED 0\n#endif"
together 3 --app bfs,game
reason '^together: game: the move into column [0-9] has the value .*; bfs is right$' verify_failed
together 3 --app game
reason '^before game has begun: game: the move into column ' verify_failed

# Everywhere.
plant sources/apps/game/game.cl 's/GAME_PLANTED 0/GAME_PLANTED 1/'
together 3 --app bfs,game
reason '^alone: game: the move into column ' verify_failed
