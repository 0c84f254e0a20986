#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A cooperative kernel that moves from one device to another and back: PoCL is told to be two. Nothing of it is lost, or
# the check of its results says so; what cannot move is told before anything runs.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu

migrate() { "$COOPBENCH" migrate --device cpu --runs 1 --warmup 0 --stay 0.03 --wait-deadline 5000 --json document.json "$@"; }

# ---- One device ----------------------------------------------------------------------------------

unset POCL_DEVICES
if [[ $("$COOPBENCH" list devices --json - | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["devices"]))') == 1 ]]; then
  check_exit 77 migrate --scale tiny --app color --input grid:60x60
  check_json document.json 'd["cases"][0]["status"] == "unsupported"' \
    're.match("there is no device to move to: .* is the only one of its kind", d["cases"][0]["reason"])'
fi

# ---- Two -----------------------------------------------------------------------------------------

export POCL_DEVICES='pthread pthread'
index=$("$COOPBENCH" list devices --json - | python3 -c '
import json, sys
cpus = [d["index"] for d in json.load(sys.stdin)["devices"] if d["type"] == "cpu" and "Portable" in d["platform"]]
print(*cpus if len(cpus) == 2 else [])')
[[ $index ]] || {
  echo 'skipped: PoCL is not two devices'
  exit 77
}
read -r here there <<<"$index"

# By both barriers, and in both variants, there and back; the second has fewer workgroups. Most moves are in the midst of a
# run.
check_exit 0 migrate --to "$there" --app bfs,mis --input bfs=grid:2x20000,mis=circuit:5000 --variant ours,paper \
  --workgroups-there 3 --run-id moves
check_schema run.schema.json document.json
check_json document.json \
  '{c["id"] for c in d["cases"]} == {f"migrate/{a}{v}" for a in ("bfs/grid:2x20000", "mis/circuit:5000")
                                     for v in ("", "/variant=paper")}' \
  'all(c["status"] == "ok" and c["verification"]["status"] == "pass" for c in d["cases"])' \
  'all(metric(c["id"], "moves")["median"] == 4 and metric(c["id"], "in_run")["median"] > 0 for c in d["cases"])' \
  'all(metric(c["id"], "workers_there")["median"] == 3 < metric(c["id"], "workers")["median"] for c in d["cases"])' \
  'all(metric(c["id"], m)["n"] == 2 and metric(c["id"], m)["min"] > 0 for m in ("move_time", "back_time") for c in d["cases"])' \
  'all(metric(c["id"], "gone_time")["min"] >= 0 and metric(c["id"], "copied_time")["min"] > 0
       and metric(c["id"], "copied")["min"] > 10000 and metric(c["id"], "kills")["min"] > 0 for c in d["cases"])'
check_stdout '^\| bfs \(paper\) \[.*\] +\| +[0-9]+, 3 \| +4 \| +[0-9]+ % \| '
check_exit 0 migrate --to "$there" --scale tiny --app sssp_bellman --barrier query --channel queue --moves 1
check_json document.json 'all(c["status"] == "ok" and metric(c["id"], "moves")["median"] == 1 for c in d["cases"])' \
  'not any(m["name"] == "back_time" for c in d["cases"] for m in c["metrics"])'

# Again and again, soon after the beginning.
check_exit 0 migrate --to "$there" --app color --input grid:60x60 --moves 60 --stay 0.001 --workgroups-there 2
check_json document.json 'metric(d["cases"][0]["id"], "moves")["median"] == 60' \
  'd["cases"][0]["verification"]["status"] == "pass"'

# Several times in one run.
check_exit 0 migrate --to "$there" --app bfs --variant paper --input grid:2x100000 --moves 6 --stay 0.01
check_json document.json 'metric(d["cases"][0]["id"], "app_runs")["median"] == 1' \
  'metric(d["cases"][0]["id"], "in_run")["median"] == 1' 'd["cases"][0]["verification"]["status"] == "pass"'

# ---- What cannot be ------------------------------------------------------------------------------

check_exit 2 migrate --to "$here" --scale tiny --app color
check_json document.json \
  're.search("to: .* is the device that the app begins on: name another one", d["cases"][0]["reason"])'
check_exit 77 migrate --to 'name:no such' --scale tiny --app color
check_json document.json 're.match("to: no device matches .name:no such.", d["cases"][0]["reason"])'
check_exit 77 migrate --to "$there" --app octree --scale tiny
check_json document.json \
  'd["cases"][0]["reason"] == "octree cannot move: its workgroups leave one by one, at their offers"'
check_exit 77 migrate --to "$there" --app color --input grid:60x60 --workgroups-there 100
check_json document.json 're.match("on .*: 100 workgroups asked for, but only", d["cases"][0]["reason"])'
check_exit 2 migrate --barrier regular
check_exit 2 migrate --moves 0
check_exit 2 migrate --app octree,color --variant paper --wg-size 100000

# Of the buffers that the driver refuses one after the other, some are those of the second device: then nothing has begun
# on the first.
full_there() {
  local at
  for ((at = 12; at < 24; at++)); do
    rm -f state
    FAULT=buffer-refused:$at FAULT_STATE=state LD_PRELOAD=${DRIVER_FAULTS:?} migrate --to "$there" --app color \
      --input grid:60x60 >out 2>err && continue
    if holds document.json 're.match("on .*no room for", d["cases"][0]["reason"] or "")'; then
      return
    fi
  done
  return 1
}
check 'no buffer of the second device was refused' full_there

# ---- Kernels of the user -------------------------------------------------------------------------

if "$COOPBENCH" merge /dev/null 2>err || ! grep -q libclang err; then
  cat >walk.cl <<'CL'
kernel void walk(global uint *v, uint n, uint rounds)
{
    transmit global uint *now = v;
    for (transmit uint r = 0; r < rounds; r++) {
        for (uint i = get_global_id(0); i < n; i += get_global_size(0))
            now[i] = now[i] * 3 + r;
        now = v + (r % 2) * n;
        resizing_global_barrier();
    }
}
CL
  sed 's/transmit global uint/global uint/' walk.cl >lost.cl
  sed 's/transmit global uint \*now = v;//; s/now\[/v[(r % 2) * n + /g; /now = /d' walk.cl >right.cl
  for name in walk lost right; do
    setup $name '"v": {"count": 4000, "fill": "random"}, "n": 2000, "rounds": 5000'
  done
  check_exit 0 migrate --to "$there" --app ./right.json --moves 2
  check_json document.json 'd["cases"][0]["verification"]["status"] == "pass"' \
    'metric(d["cases"][0]["id"], "in_run")["median"] > 0'
  check_exit 77 migrate --to "$there" --app ./walk.json
  check_json document.json \
    're.match("walk cannot move: a transmit variable of it has a pointer", d["cases"][0]["reason"])'
  check_exit 2 migrate --to "$there" --app ./lost.json
  check_stderr 'now lives across resizing_global_barrier\(\).* mark it transmit'
fi

# ---- Killed for good, and what was forgotten -----------------------------------------------------

export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8
moves() { timeout 100 "${MOVE_KERNEL:?}" "$here" "$there" "$@"; }
for when in at-work at-once limited away late; do
  check_exit 0 moves goes-on $when
  check_stdout '^killed after barrier [0-9]+$'
done
check_exit 0 moves ends
check_exit 3 moves stale
for buffer in 2 3 4; do # levels, queues, frontiers
  check_exit 3 moves "forgets=$buffer"
done

# Nor does a runtime go unnoticed that keeps but a part of the state, or ends the run before all are gone.
copy_sources sources
cp sources/kernels/coop/whole/keep.clh right
export COOPBENCH_KERNEL_DIR=$PWD/sources
plant sources/kernels/coop/whole/keep.clh \
  's/((global coop_transmit \*)w->in.states)\[0\] = \*S;/((global coop_transmit *)w->in.states)[0].coop_point = S->coop_point;/'
check_exit 3 moves goes-on
mv right sources/kernels/coop/whole/keep.clh
plant sources/kernels/coop/whole/away.clh 's/q->in.words->killed = 1;/;/'
check_exit 1 moves goes-on
check_stderr 'the run had ended, or not begun'
