#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The memory benchmark on the CPU device: rows, tables, checks, refusals, and what is learnt from them.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

check_exit 0 "$COOPBENCH" memory --cpu --runs 7 --accesses 2000 --groups 1,N/2,N --strides 4,64 \
  --distances 0,4,64,4096 --run-id first --json -
cp err learnt
check 'no estimate at the start' grep -qE '^[0-9]+ cases, about [0-9]+ s without preparations$' learnt
check_schema run.schema.json out
check_json out \
  'len(d["cases"]) == 2 * 3 * 3 * 3 + 2 * 2 * 2 + 3 * 4 == d["summary"]["ok"]' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  'all({m["name"]: m["n"] for m in c["metrics"]} == {"time": 7, "access_time": 7, "groups": 7}
       for c in d["cases"] if c["params"]["contention"] != "hostage")' \
  'all(case(f"memory/{c}.{o}.{a}/groups={g}") for c in ["contentious", "noncontentious"]
       for o in ["read", "write", "chase"]
       for a in ["volatile", "atomic", "volatile_after_atomic"] for g in ["1", "N/2", "N"])' \
  'all(case(f"memory/spaced.{o}.{a}/stride={s}")["params"]["stride_bytes"] == s
       for o in ["read", "write"] for a in ["volatile", "atomic"] for s in [4, 64])' \
  'all(case(f"memory/hostage.{a}/distance={b}")["params"]["distance_bytes"] == b
       for a in ["atomic", "volatile", "idle"] for b in [0, 4, 64, 4096])' \
  'all(metric(f"memory/hostage.{a}/*=4", "disturbance")["max"] > 0 for a in ["atomic", "volatile"])' \
  'metric("memory/hostage.idle/*=4", "disturbance")["max"] == 0' \
  'all(metric(c["id"], "disturbance")["max"] <= 7 * 16
       for c in d["cases"] if c["params"]["contention"] == "hostage")' \
  '[metric(f"memory/contentious.read.atomic/groups={g}", "groups")["median"]
    for g in ["1", "N/2", "N"]] == [1, 4, 8]' \
  'all(c["params"]["stride_bytes"] == {"contentious": 0, "noncontentious": 256}[c["params"]["contention"]]
       for c in d["cases"] if c["params"]["contention"] in ["contentious", "noncontentious"])' \
  'all(m["median"] > 0 for c in d["cases"] for m in c["metrics"] if m["name"] != "disturbance")'

# What it has learnt is in the device's profile.
profile=$(echo "$COOPBENCH_PROFILE_DIR"/*.json)
mv learnt err
check_stderr "^Profile of .* updated: $profile \(memory\)\$"
check_schema profile.schema.json "$profile"
check_json "$profile" \
  'd["memory"]["run_id"] == "first"' \
  'd["device"]["compute_units"] == d["memory"]["parameters"]["groups_full"] == 8' \
  'd["memory"]["parameters"]["groups_low"] == 2'

# The tables of the paper, and the sweep.
rm "$profile"
check_exit 0 "$COOPBENCH" memory --cpu --runs 7 --accesses 2000 --groups 1,N --strides 64 --no-profile
check "--no-profile wrote one" test ! -e "$profile"
check_stdout 'N = 8 workgroups'
check_stdout '^\| noncontentious volatile_after_atomic +\| [0-9.e+]+ \[[0-9.e+]+, [0-9.e+]+\]'
check_stdout 'Contentious over noncontentious \(Tab. 2\)'
check_stdout '^Over volatile \(Tab. 3\)$'
check_stdout '^\| contentious.read.atomic +\|'
check_stdout '^\| +64 \|( +[0-9.]+ \|){4}$'
check_stdout '^\| +4096 \|( +[0-9.]+ \|){3}$'

# The abstraction and what follows from it.
check_stdout '^Machine abstraction .*: like (Tesla|Fermi|neither Tesla nor Fermi)$'
check_stdout '^\| atomic : volatile reads +\| +[0-9.]+ \| +92.5 \| +2.99 \| (Tesla|Fermi) \|$'
check_stdout '^\| line held hostage +\| +[0-9.]+ \| +1.08 \| +2.98 \| (Tesla|Fermi) \|$'
check_stdout '^\| primitive +\| low contention \(2 workgroups\) \| full contention \(8 workgroups\) \|$'
barriers=$(primitives BARRIER) semaphores=$(primitives SEMAPHORE)
check_stdout "^\\| barrier +\\| (${barriers//,/|}), [0-9.]+ (ns|µs) +\\| "
check_stdout "^\\| semaphore, initial value 120 \\| (${semaphores//,/|}), "
check_stdout '^- mutex [a-z_]+: '

# Without all of its cases there is none, and nothing is learnt.
learn() {
  "$COOPBENCH" memory --cpu --runs 2 --accesses 500 --groups 1,N --contention \
    contentious,noncontentious,hostage --access volatile,atomic --distances 4,4096 "$@"
}
check_exit 0 learn --exclude '*idle/*=4'
check_stdout 'No machine abstraction: it takes memory/hostage.idle/distance=4'
check "learnt from nothing" test ! -e "$profile"
check_exit 0 learn --dry-run
check "learnt from a dry run" test ! -e "$profile"

# A profile that cannot be read is one warning, and stays; quiet keeps the good news to itself.
mkdir -p "$COOPBENCH_PROFILE_DIR"
echo '{"schema": "coopb' >"$profile"
for quiet in '' --quiet; do
  check_exit 0 learn $quiet
  check_stderr "^Warning: $profile is damaged, or no profile of coopbench: delete it\. Built-in values are used"
  check "not one warning" test "$(grep -ic 'warning' err)" = 1
done
check "the profile has changed" grep -qx '{"schema": "coopb' "$profile"
rm "$profile"
check_exit 0 learn --quiet
check "quiet speaks" test ! -s err
check_schema profile.schema.json "$profile"

# What was learnt from many runs stays when there are few, until they are as many.
sed -i 's/"runs":.*[0-9]/"runs": 5/' "$profile"
cp "$profile" thorough
check_schema profile.schema.json "$profile"
check_exit 0 learn
check_stderr "^Profile of .* kept: it learnt from 5 runs of a case \(memory\), these were 2. To learn anew, delete $profile\$"
check "few runs have changed the profile" cmp -s thorough "$profile"
check_exit 0 learn --quiet
check "quiet speaks" test ! -s err
check_exit 0 learn --runs 3
check_stderr "^Profile of .* updated: $profile \(memory\)\$"
check_json "$profile" 'd["memory"]["runs"] == 3'

# What a processor cannot do faster: reads that wait for each other are slower than reads that do not.
check_exit 0 "$COOPBENCH" memory --cpu --runs 9 --groups 1 --access volatile \
  --contention noncontentious --operation read,chase --json -
check_json out 'metric("*.chase.*", "time")["min"] > metric("*.read.*", "time")["min"]'

# More workgroups than run at once could not start together: refused, not tried.
check_exit 0 "$COOPBENCH" memory --cpu --runs 1 --access atomic --operation read --groups 9,2 \
  --contention contentious --json -
check_json out \
  'case("memory/contentious.*=9")["status"] == "unsupported"' \
  '"only 8 run at once" in case("memory/contentious.*=9")["reason"]' \
  'case("memory/contentious.*=2")["status"] == "ok"'
check_exit 2 "$COOPBENCH" memory --cpu --wg-size 65000
check_stderr 'takes at most [0-9]+ work-items'
for groups in 0 N/0 M 1.5 N/ -1; do
  check_exit 2 "$COOPBENCH" memory --cpu "--groups=$groups"
  check_stderr 'groups: expected a number'
done
for option in strides distances; do
  check_exit 2 "$COOPBENCH" memory --cpu "--$option" 6
  check_stderr "$option: expected multiples of 4 bytes, got 6"
done
check_exit 77 "$COOPBENCH" memory --cpu --clock none --groups 1
check_stderr 'no device clock'

# A hostage takes a reader and others: its cases come with chases, of the accesses asked for.
check_exit 0 "$COOPBENCH" memory --cpu --contention hostage --access atomic --distances 0,8 --dry-run
check "other cases than hostages" test "$(sed 's/ .*//' out | sort | tr '\n' ' ')" = \
  "memory/hostage.atomic/distance=0 memory/hostage.atomic/distance=8 memory/hostage.idle/distance=0 \
memory/hostage.idle/distance=8 "
check_exit 2 "$COOPBENCH" memory --cpu --contention hostage --operation read --dry-run
