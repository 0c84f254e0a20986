#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A kernel that deadlocks on purpose is a row that says who waited for what, and the run goes on.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
unsafe=(discover --cpu --microbenchmark 11 --wg-sizes none --order listed --runs 5 --json -)

# The wait is measured by the device's clock, its duration by the host's: they differ a little.
check_exit 4 "$COOPBENCH" "${unsafe[@]}" --protocol unsafe,lockfree --launch bound+1
check_schema run.schema.json out
check_stderr 'discover/unsafe/11/launch=bound\+1: timeout: .*the global barrier'
check_json out \
  'd["complete"] and d["exit_code"] == 4' \
  'case("*/unsafe/*")["status"] == "timeout"' \
  're.search(r"workgroup \d+ of 9 waited more than 1000 ms for the global barrier \(saw 8, waited for 9\): "
             "a deadlock, starvation, or work that takes longer than --wait-deadline", case("*/unsafe/*")["reason"])' \
  '0.9 <= case("*/unsafe/*")["duration_s"] < 5' \
  'case("*/lockfree/*")["status"] == "ok" and case("*/lockfree/*")["verification"]["status"] == "pass"' \
  'd["summary"] == dict(d["summary"], cases=3, ok=2, timeout=1)'

# A shorter deadline, a shorter wait. --quiet leaves the error.
check_exit 4 "$COOPBENCH" "${unsafe[@]}" --protocol unsafe --launch boundx2 --wait-deadline 100 --quiet
check_stderr '^discover/unsafe/11/launch=boundx2: timeout: .*the global barrier'
check_json out \
  '"waited more than 100 ms for the global barrier" in case("*/unsafe/*")["reason"]'

# As many workgroups as fit are safe without a protocol.
check_exit 0 "$COOPBENCH" "${unsafe[@]}" --protocol unsafe --launch bound
check_json out 'metric("*/unsafe/*", "groups_found")["min"] == 8'

check_exit 2 "$COOPBENCH" discover --cpu --protocol unsafe
check_stderr 'how many workgroups to launch'
check_exit 2 "$COOPBENCH" "${unsafe[@]}" --protocol unsafe --launch bound --bound off
check_stderr '"bound" is not known'

# Workgroups that wait without a protocol: a deadlock is a result, of as many as do not fit.
starve=(discover --cpu --microbenchmark none --wg-sizes none --json -)
check_exit 0 "$COOPBENCH" "${starve[@]}" --starvation 9 --exclude '*/flag/*' --wait-deadline 100
check_json out 'metric("*/xf/groups=9", "completes")["max"] == 0'
check_exit 0 "$COOPBENCH" "${starve[@]}" --starvation bound,bound+1 --exclude '*/flag/*' --wait-deadline 2000
check_json out 'metric("*/xf/groups=bound", "completes")["min"] == 1' 'metric("*/xf/groups=bound+1", "completes")["max"] == 0' \
  'metric("*/xf/groups=bound+1", "groups_launched")["min"] == metric("discover/bound/wg=256", "groups_bound")["median"] + 1'
check_exit 0 "$COOPBENCH" "${starve[@]}" --starvation 2 --wait-deadline 20000
check_json out 'metric("*/xf/groups=2", "completes")["min"] == 1' 'metric("*/flag/groups=2", "completes")["min"] == 1'
