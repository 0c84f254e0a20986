# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests/cli/test_*.sh, which source it first. COOPBENCH is the program, SOURCE_DIR the checkout.
# A test runs in a temporary folder of its own and goes on after a failed check; it exits with 0, 1
# if a check failed, or 77 if there is no device to test with. HOME stays, and with it PoCL's cache
# of compiled kernels.
set -euo pipefail
: "${COOPBENCH:?is the program to test}" "${SOURCE_DIR:?is the checkout}"

# Results must not depend on what the user has set.
unset COOPBENCH_KERNEL_DIR POCL_MAX_PTHREAD_COUNT POCL_CPU_MAX_CU_COUNT COOPBENCH_NO_CACHE
export COOPBENCH_HOSTNAME=test LC_ALL=C
export COOPBENCH_SHARED=ignore # ctest runs tests beside each other
export PYTHONPATH=$SOURCE_DIR/tests PYTHONDONTWRITEBYTECODE=1 # documents.py

# The Python that has jsonschema need not be the first in PATH. What is there may be a script that looks for Python (pyenv),
# which takes longer than most checks: here, and in the scripts that tests run, its Python comes before it.
python=$(python3 -c 'import jsonschema, sys; print(sys.executable)' 2>/dev/null) || python=/usr/bin/python3
[[ $python == /usr/bin/* ]] || PATH=$(dirname "$python"):$PATH
python3() { command "$python" "$@"; }

failures=0
folder=$(mktemp -d)
trap finish EXIT
cd "$folder"
export COOPBENCH_PROFILE_DIR=$folder/profiles COOPBENCH_CACHE_DIR=$folder/cache # nothing goes to the user's

finish() {
  local code=$?
  trap - EXIT
  jobs -p | xargs -r kill -KILL 2>/dev/null || true
  wait 2>/dev/null
  cd /
  local i
  for i in 1 2 3 4 5; do # what a killed job has started may live and write for a moment longer
    rm -rf "$folder" 2>/dev/null && break
    sleep 0.2
  done
  if ((code == 0 && failures > 0)); then
    code=1
  fi
  exit "$code"
}

# fail MESSAGE: notes a failed check and shows what the program printed.
fail() {
  failures=$((failures + 1))
  echo "FAILED (line ${BASH_LINENO[-2]}): $1"
  if [[ -s out ]]; then
    printf -- '--- standard output:\n%s\n' "$(head -c 1000 out)"
  fi
  if [[ -s err ]]; then
    printf -- '--- standard error:\n%s\n' "$(tr '\r' '\n' <err | tail -n 12)"
  fi
}

# reference RUN: the document of a run in results/reference.
reference() { gzip -cd "$SOURCE_DIR/results/reference/$1/run.json.gz"; }

# The test needs a device, or one that is the CPU; without it, it is skipped.
need_device() { need all; }
need_cpu() { need cpu; }
need() {
  "$COOPBENCH" discover --device "$1" --dry-run >out 2>err || {
    echo "skipped: $(head -n 1 err)"
    exit 77
  }
}

# The test merges kernels; a coopbench without libclang cannot, and the test is skipped.
need_libclang() {
  "$COOPBENCH" merge /dev/null 2>err || ! grep -q libclang err || exit 77
}

# Some OpenCL loaders do not let the environment choose the drivers.
loader_takes_vendors() {
  mkdir -p no_vendors
  local devices
  devices=$(OCL_ICD_VENDORS=$PWD/no_vendors "$COOPBENCH" list devices --json - 2>/dev/null) || true
  [[ $devices == *'[]'* ]]
}

# check_exit CODE COMMAND...: runs it, with its output in the files out and err.
check_exit() {
  local expected=$1 code=0
  shift
  "$@" >out 2>err || code=$?
  ((code == expected)) || fail "exit code $code instead of $expected: $*"
}

# check_unread COMMAND...: with a standard output that is a pipe nobody reads any more, it has to end by
# SIGPIPE, as others do. What it says is in err.
check_unread() {
  check_exit 0 python3 - "$@" <<'PYTHON'
import os, subprocess, sys
ends = os.pipe()
os.close(ends[0])
code = subprocess.run(sys.argv[1:], stdout=ends[1], stdin=subprocess.DEVNULL).returncode
sys.exit(0 if code == -13 else f"ended with {code}")
PYTHON
}

check_stderr() { grep -Eq -- "$1" err || fail "not on standard error: $1"; }
check_stdout() { grep -Eq -- "$1" out || fail "not on standard output: $1"; }

# check WHAT COMMAND...: the command has to succeed.
check() {
  local what=$1
  shift
  "$@" || fail "$what"
}

# once_in TRIES COMMAND...: for what a loaded machine may disturb.
once_in() {
  local i
  for ((i = 0; i < $1; i++)); do
    "${@:2}" && return
  done
  return 1
}

# check_json FILE FILTER...: each filter is a Python expression that has to be true of the document d,
# with case(GLOB): the only case whose id matches; metric(GLOB, NAME): its metric. holds: the same, as a condition.
check_json() { holds "$@" || fail "$1: $(cat filtered)"; }
holds() {
  python3 - "$@" >filtered 2>&1 <<'PYTHON'
import fnmatch, json, re, sys

def case(glob):
    found = [c for c in d["cases"] if fnmatch.fnmatchcase(c["id"], glob)]
    assert len(found) == 1, f"{len(found)} cases match {glob}"
    return found[0]

def metric(glob, name):
    return next(m for m in case(glob)["metrics"] if m["name"] == name)

bad = []
d = json.load(open(sys.argv[1]))
for expression in sys.argv[2:]:
    try:
        if not eval(f"({expression})"):
            bad.append(expression)
    except Exception as error:
        bad.append(f"{expression}: {error!r}")
if bad and "cases" in d:
    bad += [f"  {c['id']}: {c['status']} {c['reason'] or ''}" for c in d["cases"]]
if bad:
    sys.exit("\n".join(bad))
PYTHON
}

# valid SCHEMA FILE: whether the document has the shape that docs/SCHEMA describes.
valid() {
  python3 - "$SOURCE_DIR/docs/$1" "$2" <<'PYTHON'
import json, sys
import jsonschema

schema, document = (json.load(open(path)) for path in sys.argv[1:])
jsonschema.Draft7Validator.check_schema(schema)
for error in jsonschema.Draft7Validator(schema).iter_errors(document):
    sys.exit(f"{sys.argv[2]}: {'/'.join(map(str, error.absolute_path))}: {error.message[:500]}")
PYTHON
}

check_schema() { check "$2 against docs/$1" valid "$1" "$2"; }

# wait_for WHAT COMMAND...: until the command succeeds, a minute at most. Ends the test if it does not.
wait_for() {
  local what=$1 i
  shift
  for ((i = 0; i < 1200; i++)); do
    if "$@" >/dev/null 2>&1; then
      return
    fi
    sleep 0.05
  done
  fail "waited in vain for $what"
  exit 1
}

# start ARGUMENT...: the program in the background, with process id $program and its output in the
# files out and err, of which those of an earlier call are gone.
start() {
  rm -f out err
  "$COOPBENCH" "$@" --progress bar >out 2>err &
  program=$!
}

# Whether the program that was started is measuring a case whose id matches this regular expression.
measures() { grep -aEq "$1[^ ]*  run [1-9]" err; }

# The process id of its worker.
worker_of_program() { pgrep -P "$program" -f 'coopbench worker$'; }

# check_end CODE: the program that was started has to end with this exit code.
check_end() {
  local code=0
  { wait "$program" || code=$?; } 2>/dev/null # the shell would tell of processes that were killed
  ((code == $1)) || fail "exit code $code instead of $1"
}

# Makes a copy of everything that COOPBENCH_KERNEL_DIR replaces.
copy_sources() {
  rm -rf "$1"
  mkdir "$1"
  cp -r "$SOURCE_DIR"/{kernels,apps,probes,plots,configs} "$1"
}

# primitives KIND [SLOTS [QUICK]]: the ids of kernels/primitives_abi.h, "spin,ticket".
primitives() {
  sed -n "s/^ *X($1, \([a-z0-9_]*\), [A-Z]*, ${2:-[01]}, ${3:-[01]}).*/\1/p" "$SOURCE_DIR/kernels/primitives_abi.h" | paste -sd,
}

# clique.wel, a complete graph: more colours than a window of gc has, a sum of weights of more than 32 bits, loops, and an
# edge that is there twice.
write_clique() {
  local i j
  for ((i = 0; i < 140; i++)); do
    for ((j = i; j < 140; j++)); do
      echo "$i $j 4294967295"
    done
  done >clique.wel
  echo '1 0 4294967294' >>clique.wel
}

# plant FILE SED-SCRIPT: edits a file of such a copy; a script that fits nothing is an error.
plant() {
  sed -i.orig "$2" "$1"
  if cmp -s "$1" "$1.orig"; then
    fail "the bug to plant does not fit $1 any more: $2"
    exit 1
  fi
}

# A package in the folder `powercap` that draws 60 W, for as long as its folder is there.
draw_60_w() {
  mkdir -p powercap/intel-rapl:0
  echo package-0 >powercap/intel-rapl:0/name
  echo 262143328850 >powercap/intel-rapl:0/max_energy_range_uj
  echo 0 >powercap/intel-rapl:0/energy_uj
  "$python" - <<'PYTHON' &
import os, time
begin = time.monotonic()
try:
    while True:
        with open("powercap/next", "w") as out:
            print(int((time.monotonic() - begin) * 60e6), file=out)
        os.rename("powercap/next", "powercap/intel-rapl:0/energy_uj")
        time.sleep(0.01)
except FileNotFoundError:
    pass
PYTHON
}
