#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The index of a folder of runs: whatever happened to it, or to the runs, history says what it says without. Nothing here
# needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
: "${WITHOUT_SQLITE:?is the program without SQLite}"
index=runs/.coopbench-index.sqlite

make_runs() { python3 "$SOURCE_DIR/tests/many_runs.py" "$@"; }
# tell PROGRAM...: what history says of the runs, as a table and as JSON, in the files table and json.
tell() { "$@" history runs --json json >table 2>err; }
# check_same WHAT [NOTES]: history with the index says what it says without, and so many notes (0).
check_same() {
  COOPBENCH_NO_CACHE=1 tell "$COOPBENCH" || fail "$1: without index, exit code $?"
  cp table table.without
  cp json json.without
  tell "$COOPBENCH" || fail "$1: exit code $?"
  check "$1: another table" cmp table.without table
  check "$1: other JSON" cmp json.without json
  check "$1: $(wc -l <err) lines on standard error, not ${2:-0}" test "$(wc -l <err)" = "${2:-0}"
}
# The documents are not read if the index has them: one that is blank, of the same size and time, is not missed.
check_used() {
  local run=runs/run-00000/run.json
  cp -p "$run" kept
  head -c "$(stat -c %s kept)" /dev/zero | tr '\0' ' ' >"$run"
  touch -r kept "$run"
  check "$1: a document is read" "$COOPBENCH" history runs --format none
  cp -p kept "$run"
}
sql() {
  python3 - "$index" "$1" <<'PYTHON'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA synchronous = OFF")
for row in db.execute(sys.argv[2]):
    print(row[0])
db.commit()
PYTHON
}

make_runs runs 19 12
tell "$COOPBENCH"
check 'an index of few runs' test ! -e "$index"
make_runs runs 21 12 19
tell "$WITHOUT_SQLITE" || fail "without SQLite: $(cat err)"
cp table table.sqlite
check 'an index without SQLite' test ! -e "$index"
check_same 'the first time'
check 'SQLite makes another table' cmp table.sqlite table
check "the index has $(sql 'SELECT count(*) FROM run') runs" test "$(sql 'SELECT count(*) FROM run')" = 40
check "the runs have $(sql 'SELECT count(*) FROM layout') layouts" test "$(sql 'SELECT count(*) FROM layout')" = 1
check_same 'the second time'
check_used 'the second time'

# Runs that come, go and change. One that was written just now is not kept: it may change without telling.
make_runs runs 1 12 40
check_same 'a new run'
rm -r runs/run-00007
touch runs/run-00040/run.json
check_same 'a run that is gone, one that was just written'
touch -d '2020-02-02' runs/run-00040/run.json
check_same 'one that was written before'
check 'a run that is gone is kept' test "$(sql 'SELECT count(*) FROM run')" = 40
check_used 'as there are other runs'
python3 - <<'PYTHON'
import json, os
for run, change in ((3, lambda c: c.update(status="timeout")), (4, lambda c: c["metrics"].pop(0)),
                    (5, lambda c: c["params"].update(ops="other")), (6, lambda c: c.update(metrics=[]))):
    path = f"runs/run-{run:05}/run.json"
    document = json.load(open(path))
    change(document["cases"][0])
    document["devices"][0]["driver_version"] = "9"
    json.dump(document, open(path, "w"))
    os.utime(path, (1e9, 1e9))
PYTHON
check_same 'runs that have changed'
check 'nothing of the new driver' grep -q 'driver_version' table
check_same 'the time after'
check_used 'the time after'
gzip runs/run-00008/run.json
check_same 'a run that was packed'
check_exit 0 "$COOPBENCH" history runs runs/run-00009 --format none
cp -r runs/run-00010 runs/run-00011/
check_same 'a run in a run'

# An index that is not as it was written.
damage() { # damage WHAT NOTE
  check_same "$1" 1
  check_stderr "^Note: the index of runs was made anew: $2"
  check_used "after $1"
}
cp "$index" sound
head -c 5000 sound >"$index"
damage 'a truncated index' 'it was damaged'
head -c 50000 /dev/urandom >"$index"
damage 'garbage' 'it was damaged'
sql 'PRAGMA user_version = 99'
damage 'an index of another version' 'it was of another version'
sql "UPDATE run SET levels = zeroblob(length(levels)) WHERE name LIKE 'run-00012/%'"
damage 'an entry of other numbers' 'it was damaged'
sql "UPDATE run SET head = '[' WHERE name LIKE 'run-00013/%'"
damage 'an entry without its end' 'it was damaged'
sql "UPDATE run SET hash = 'text', levels = 7, layout = NULL"
damage 'entries of other types' 'it was damaged'
sql "UPDATE layout SET text = '{}'"
damage 'another layout' 'it was damaged'
sql 'DROP TABLE layout'
damage 'an index without a table' 'it was damaged'
python3 - "$index" <<'PYTHON'
import random, sys
seed = random.randrange(10**9)
print("seed", seed)
random.seed(seed)
data = bytearray(open(sys.argv[1], "rb").read())
for _ in range(200):
    data[random.randrange(100, len(data))] ^= 1 << random.randrange(8)
open(sys.argv[1], "wb").write(data)
PYTHON
COOPBENCH_NO_CACHE=1 tell "$COOPBENCH"
cp table table.without
tell "$COOPBENCH" || fail "flipped bits: exit code $?"
check 'flipped bits: another table' cmp table.without table
: >"$index"
check_same 'an empty file'
rm "$index"
check_same 'an index that was deleted'

# What is no index is left alone.
rm "$index"
echo precious >precious
ln -s ../precious "$index"
check_same 'a link' 1
check_stderr '^Note: runs has no index that can be used \(.coopbench-index.sqlite is no file\)'
check 'the file of the link has changed' test "$(cat precious)" = precious
rm "$index"
mkdir "$index"
check_same 'a folder in its place' 1
rmdir "$index"

# Several at once, while nothing is there yet, and while it is to be made anew.
COOPBENCH_NO_CACHE=1 tell "$COOPBENCH"
for state in nothing garbage; do
  rm -f "$index"
  [[ $state == nothing ]] || head -c 9000 /dev/urandom >"$index"
  for i in 1 2 3 4; do
    "$COOPBENCH" history runs >"table.$i" 2>"err.$i" &
  done
  wait
  for i in 1 2 3 4; do
    check "$state, four at once: another table" cmp table "table.$i"
  done
done
check_same 'after four at once'
check_used 'after four at once'

# A file that another one holds for long is done without.
python3 - "$index" <<'PYTHON' &
import os, sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
open("held", "w").close()
for _ in range(600):
    if os.path.exists("held"):
        time.sleep(0.1)
PYTHON
holder=$!
wait_for 'the lock' test -e held
check_same 'an index that is locked' 1
check_stderr '^Note: runs has no index that can be used \(database is locked\)'
rm held
wait "$holder"

# A folder that cannot be written into, and a disk that is full, where this user may mount some.
disk=(unshare -m)
((EUID == 0)) || disk=(unshare -Urm)
mkdir -p small/runs
if "${disk[@]}" mount -t tmpfs -o size=64k none small/runs 2>/dev/null; then
  export -f check_same tell fail check check_stderr
  export index failures
  # shellcheck disable=SC2016 # the inner shell expands it
  check_exit 0 "${disk[@]}" bash -uc '
    COOPBENCH_NO_CACHE=1 tell "$COOPBENCH"; cp table before
    rm "$index"
    mount --bind runs runs && mount -o remount,ro,bind runs
    tell "$COOPBENCH" && cmp table before && test "$(wc -l <err)" = 1 && mv err err.readonly || exit 1
    umount runs
    tell "$COOPBENCH" && test -e "$index" || exit 2
    mount --bind runs runs && mount -o remount,ro,bind runs
    tell "$COOPBENCH" && cmp table before && test "$(wc -l <err)" = 0 || exit 3
    umount runs
    mount -t tmpfs -o size=4m none small/runs
    cp -rp runs/run-* small/runs
    cat /dev/zero >small/runs/rest 2>/dev/null
    cd small
    tell "$COOPBENCH" && cmp table ../before && test "$(wc -l <err)" = 1 && cp err ../err.full || exit 4'
  mv err err.inner
  for name in readonly full; do
    cp "err.$name" err 2>/dev/null || true
    check_stderr '^Note: runs has no index that can be used'
  done
else
  echo 'not permitted to mount'
fi
