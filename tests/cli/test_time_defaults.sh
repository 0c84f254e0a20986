#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/time-defaults.py times commands, and scripts/papers.py makes the README's tables of it.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
quick=(--device cpu --program "$COOPBENCH" 'discover -m 11 --wg-sizes none --runs 3 --bound off --protocol lockfree')

check_exit 0 "$SOURCE_DIR/scripts/time-defaults.py" durations.json "${quick[@]}"
check_stdout '^discover .* cold .* s, warm .* s, exit code 0$'
check_exit 0 "$SOURCE_DIR/scripts/time-defaults.py" durations.json --warm "${quick[@]}"
check_stdout '^discover .* lockfree +warm .* s, exit code 0$'
check_json durations.json \
  'len(d["durations"]) == 1 and d["cores"] > 0 and d["device"]' \
  'd["durations"][0]["ok"] == d["durations"][0]["cases"] == 1 and d["durations"][0]["commit"]'
check_exit 0 "$SOURCE_DIR/scripts/time-defaults.py" durations.json 'scripts/twins/compare.py --self-test'
check_json durations.json 'len(d["durations"]) == 2 and "commit" in d["durations"][1] and len(d["durations"][1]["date"]) == 10'
check_exit 1 "$SOURCE_DIR/scripts/time-defaults.py" other.json --program "$COOPBENCH" 'discover --protocol nonsense'
check_stderr 'no run.json, exit code 2'

mkdir -p page/kept
cat >page/kept/durations.json <<'JSON'
{"device": "Big GPU", "driver_version": "1.2", "cores": 4, "durations": [
 {"command": "discover", "cold_s": 9.0, "warm_s": 6.0, "exit_code": 0,
  "commit": "0123456", "date": "2026-01-02"},
 {"command": "scripts/test.sh", "warm_s": 540.0, "exit_code": 0}]}
JSON
cat >page/README.md <<'TEXT'
<!-- answers: GPU = kept; CPU = none -->
<!-- end -->
<!-- cold: GPU = kept -->
<!-- end -->
<!-- scripts: GPU = kept -->
<!-- end -->
<!-- timed: GPU = kept -->
<!-- end -->
TEXT
check_exit 0 "$SOURCE_DIR/scripts/papers.py" --root page
cp page/README.md out
check_stdout '^\| how many workgroups run at once.* \| \[`discover`\]\(docs/commands/discover.md\) \| 6 s \|  \|$'
check_stdout '^\| `discover` \| 9.0 s \| 6.0 s \| 1.50 \|$'
check_stdout '^- `scripts/test.sh`: 9.0 minutes$'
check_stdout '^GPU: Big GPU, driver 1.2, 4 CPU cores, commit 0123456, 2026-01-02.$'
