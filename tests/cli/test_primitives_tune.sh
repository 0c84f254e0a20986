#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Barriers, mutexes and semaphores on the CPU device: what the tuner leaves in the device's profile, and which later runs
# use it.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/primitives.sh"
need_cpu

# What another benchmark has left in the profile stays in it.
check_exit 0 "$COOPBENCH" memory --cpu --runs 2 --warmup 0 --accesses 300 --groups 1,N --contention \
  contentious,noncontentious,hostage --access volatile,atomic --distances 4,4096
profile=$(echo "$COOPBENCH_PROFILE_DIR"/*.json)

# The tuner tries pauses; some of them, here. Of two mutexes, none is the
# best. With an odd number of runs, the best has both the highest throughput and the shortest time.
tune() {
  measure 0 --tune --runs 3 --groups N --section 1 --initial 10 --ops 50 --wg-size 64 \
    --filter '*/groups=N' --filter '*/groups=N,section=1' --filter '*/groups=N,initial=10' \
    --filter '*=32:1024,tune' --filter '*=512:4096,tune' --filter '*=30,tune' --filter '*=500,tune' "$@"
}
tune "${nothing_else[@]}" --mutex spin_backoff,ticket_backoff
check_all_pass 10
check_stderr "^Profile of .* updated: $profile \(primitives\)\$"
check_schema profile.schema.json "$profile"
cp "$profile" profile.json
check_json document.json \
  'case("primitives/mutex.ticket_backoff/groups=N/2,section=1,backoff=30,tune")["params"] == {
     "kind": "mutex", "primitive": "ticket_backoff", "groups": "N/2", "section": 1, "wg-size": 64,
     "ops": "50", "backoff": "30", "tune": True}' \
  'all(any(c["params"]["backoff"] == x["ns"]
           and abs(metric(c["id"], "throughput")["median"] / x["throughput"] - 1) < 1e-9 for c in of)
       and all(metric(c["id"], "throughput")["median"] < x["throughput"] * (1 + 1e-9) for c in of)
       for p in ["spin_backoff", "ticket_backoff"]
       for x in json.load(open("profile.json"))["primitives"]["backoff"][f"mutex.{p}"]
       for of in [[c for c in d["cases"] if c["id"].endswith(",tune")
                   and c["id"].startswith(f"primitives/mutex.{p}/groups={x['"'"'asked'"'"']},")]])' \
  'all({x["asked"] for x in json.load(open("profile.json"))["primitives"]["backoff"][f"mutex.{p}"]}
       == {"N", "N/2"} for p in ["spin_backoff", "ticket_backoff"])'
check_json profile.json \
  'set(d["primitives"]) == {"occupancy", "runs", "backoff"} and d["primitives"]["occupancy"] == 8' \
  'd["memory"]["prediction"]'
check "the tuner's cases are in the tables" test "$(grep -c '^| spin_backoff' out)" = 1

# Of all mutexes and barriers, there is one, but not of four semaphores.
tune --barrier $all_barriers --semaphore spin,sleeping,ticket,optimistic
check_schema profile.schema.json "$profile"
cp "$profile" profile.json
check_json document.json \
  'set(json.load(open("profile.json"))["primitives"]) == {"occupancy", "runs", "backoff", "barrier", "mutex"}' \
  'set(json.load(open("profile.json"))["primitives"]["backoff"]) == {
     "{kind}.{primitive}".format(**c["params"]) for c in d["cases"] if "tune" in c["params"]}' \
  'all(json.load(open("profile.json"))["primitives"][kind] ==
         max((c for c in d["cases"] if c["params"]["kind"] == kind and c["params"]["groups"] == "N"),
             key=lambda c: metric(c["id"], "throughput")["median"])["params"]["primitive"]
       for kind in ["barrier", "mutex"])'

# Later runs use its pauses, those of the nearest level, unless they are told others or not to; only
# those that tune change it. (Rows that the device cannot run have parameters, too.)
measure 77 --atomics ptx --groups 1,N/2,N --barrier none --mutex spin,spin_backoff,ticket_backoff \
  --semaphore spin_backoff,ticket,optimistic --section 1 --initial 10
check_json document.json \
  'all(case(f"primitives/{p}/groups={g},{v}")["params"]["backoff"] == ns[n]
       for p, v in [("mutex.spin_backoff", "section=1"), ("mutex.ticket_backoff", "section=1"),
                    ("semaphore.ticket", "initial=10"), ("semaphore.optimistic", "initial=10")]
       for ns in [{x["asked"]: x["ns"]
                   for x in json.load(open("profile.json"))["primitives"]["backoff"][p]}]
       for g, n in [("1", "N/2"), ("N/2", "N/2"), ("N", "N")])' \
  'all("backoff" not in case(f"primitives/{p}")["params"]
       for p in ["mutex.spin/groups=N,section=1", "semaphore.spin_backoff/groups=N,initial=10"])'
measure 77 --atomics ptx --groups N "${nothing_else[@]}" --mutex spin_backoff,ticket_backoff \
  --section 1 --backoff 40:50,60
check_json document.json \
  '{c["id"]: c["params"]["backoff"] for c in d["cases"]} == {
     "primitives/mutex.spin_backoff/groups=N,section=1,backoff=40:50": "40:50",
     "primitives/mutex.ticket_backoff/groups=N,section=1,backoff=60": "60"}'
measure 0 --groups N "${nothing_else[@]}" --mutex spin_backoff --section 1 --ops 20 --wg-size 64
check_all_pass 1 '"backoff" in d["cases"][0]["params"]'
check "a run without --tune changed the profile" cmp -s "$profile" profile.json
tune "${nothing_else[@]}" --mutex spin_backoff,ticket_backoff --no-profile
check_json document.json \
  'all(("backoff" in c["params"]) == ("tune" in c["params"]) for c in d["cases"])'
check "--no-profile changed the profile" cmp -s "$profile" profile.json
