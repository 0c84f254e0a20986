#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs that lose their process, their worker or their disk at any moment lose no finished row.
# COOPBENCH_KILLS: how many are killed (15), COOPBENCH_SEED: draws the moments.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
seed=${COOPBENCH_SEED:-$(date +%s)}

code=0
TMPDIR=$PWD python3 "$SOURCE_DIR/tests/cli/durability.py" "$COOPBENCH" "$SOURCE_DIR/docs/run.schema.json" \
  "${COOPBENCH_KILLS:-15}" "$seed" >told 2>err || code=$?
cat told
((code == 0)) || fail "COOPBENCH_SEED=$seed repeats it"

# A disk that is really full, where this user may mount one: the rows before are kept, what did not fit is
# told, and with room again the run is completed.
disk=(unshare -m)
((EUID == 0)) || disk=(unshare -Urm)
export TMPDIR=$PWD
mkdir small saved
if "${disk[@]}" mount -t tmpfs -o size=64k none small 2>/dev/null; then
  # shellcheck disable=SC2016 # the inner shell expands it
  "${disk[@]}" bash -uc 'mount -t tmpfs -o size=64k none small
    run() { "$COOPBENCH" discover --cpu --protocol lockfree,ticket --wg-sizes none --bound off --launch 16 \
      --runs 400 --no-profile -o small "$@"; }
    run --run-id full >out 2>err
    echo $? >code
    cp small/full/events.jsonl before.jsonl
    cp -r small/full/run.json before.json
    run --resume full >/dev/null 2>still
    echo $? >>code
    mount -o remount,size=16m small
    run --resume full >/dev/null 2>&1
    echo $? >>code
    cp -r small/full small/latest/run.json saved'
  check "exit codes $(tr '\n' ' ' <code)instead of 1 1 0" test "$(tr '\n' ' ' <code)" = '1 1 0 '
  check_stderr 'cannot write small/full/.*: No space left on device'
  check_stderr "All finished cases are in $PWD/coopbench-full.json"
  rows=$(wc -l <before.jsonl)
  check "$rows whole rows before the disk was full" test "$rows" -gt 0 -a "$rows" -lt 8
  check_schema run.schema.json before.json
  check_schema run.schema.json coopbench-full.json
  check_json saved/full/run.json 'd["complete"] and d["summary"]["ok"] == 8'
  head -n "$rows" before.jsonl | sort >kept
  grep -Ff <(grep -o '"id":"[^"]*"' kept) saved/full/events.jsonl | sort >after
  check 'the rows before are not those after' cmp -s kept after
  check 'latest leads nowhere' cmp -s saved/full/run.json saved/run.json
else
  echo 'not permitted to mount a small disk'
fi
