#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/history-trust.py measures how far history can be trusted, and scripts/papers.py makes tables of it.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
study() {
  check_exit 0 "$SOURCE_DIR/scripts/history-trust.py" study --runs "$1" --steps 2 --every 4 --seeds 1 --keep page/kept.json \
    -- --cpu --barrier counter --mutex ticket --semaphore none --groups 1 --section 0 --ops 1000 --runs 2 --warmup 1
}

mkdir page
study 6
check_stderr '^A/A: 6 of 6 runs$'
check_json page/kept.json \
  'len(d["histories"]) == 5 and {h["runs"] for h in d["histories"]} == {6} and d["devices"][0]["name"]' \
  'all(h["cases"] == 2 for h in d["histories"])'

# The runs that are there stay, and others join them.
cp study/same/run-0005/run.json.gz before
study 16
check "a run was measured again" cmp before study/same/run-0005/run.json.gz
check_json page/kept.json \
  '{h["runs"] for h in d["histories"]} == {16} and {h["name"]: h for h in d["histories"]}["normal"]["points"] == []' \
  'all(len(s["allowed"]) == min(2, s["allowed_places"]) for h in d["histories"] for s in h["steps"])' \
  'sum(len(s["allowed"]) for h in d["histories"] for s in h["steps"]) > 0' \
  'all(at - 5 <= found <= at + 5 for h in d["histories"] for s in h["steps"]
       for c, at, found in s["allowed"] if found is not None)'

cat >page/README.md <<'TEXT'
<!-- history_trust: Mine = kept.json -->
<!-- end -->
<!-- history_steps: Mine = kept.json -->
<!-- end -->
TEXT
check_exit 0 "$SOURCE_DIR/scripts/papers.py" --root page
cp page/README.md out
check_stdout '^\| normal \| 1 x 16 of 2 \| 0 \| 0 \|$'
check_stdout '^\| 25 % in A/A, Mine, noise allows \|'
