#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the shells complete, and the manual page: everything that the tables have. Needs no device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
PATH=$(dirname "$COOPBENCH"):$PATH

# candidates WORD...: what can stand for the last one, without its meaning, in one line.
candidates() { "$COOPBENCH" complete "$@" | cut -f 1 | tr '\n' ' '; }

# completes EXPECTED WORD...
completes() {
  local found
  found=$(candidates "${@:2}")
  [[ $found == "$1 " || $found == "$1" ]] || fail "coopbench ${*:2}: \"$found\" instead of \"$1\""
}

completes 'discover ' dis
completes 'devices benchmarks apps configs' list ''
completes ':files' run x/
completes ':files' multitask --kernel ''
completes ':files' apps --setup ''
completes ':files' discover --kernel ''
completes 'matmul reduce :files' multitask --task ''
completes 'smoke :files' run smo
completes ':folders' plot results/x
completes 'bash zsh fish' completion ''
completes '--protocol --progress' discover --pro
completes 'ticket' discover --protocol ti
completes 'ticket,spin' discover --protocol ticket,s
completes '--protocol=ticket,spin' discover --protocol=ticket,s
completes '11 L1 1W LW none' discover -m ''
completes '--order=random --order=listed' discover --order=
completes '--order=random' run --order=r
completes 'bfs bfs_nested' apps --app b --cpu --app bf
completes 'all gpu cpu accelerator' run x.json --device ''
completes 'sssp_bellman sssp_nested sssp_worklist' multitask -a sssp
completes ':folders' discover --output-dir ''
completes '' discover --runs ''
completes '' discover '' # it takes no arguments
completes '' nosuch --x
completes '--help' plot --h
completes 'discover ' help dis
[[ $(candidates apps --app game,) != *game,game* ]] || fail 'offers an app that was given'

# Runs in results/ by their names, and 'latest', where a run is expected.
mkdir -p results/{20261124-first,20261125-second,no-run}
touch results/20261124-first/run.json results/20261125-second/run.json.gz
completes '20261124-first 20261125-second :folders' plot 2026
completes '20261124-first 20261125-second :folders' report x ''
ln -s 20261125-second results/latest
completes 'latest 20261124-first 20261125-second :folders' plot ''
completes 'latest :folders' discover --resume lat
completes '--baseline=20261124-first :folders' compare --baseline=20261124
rm -r results

# All benchmarks, apps, suites and options of the tables are there.
"$COOPBENCH" list benchmarks --json - >benchmarks.json
"$COOPBENCH" list apps --json - >apps.json
check_exit 0 "$COOPBENCH" man
mv out page
python3 - "$COOPBENCH" "$SOURCE_DIR" >problems 2>&1 <<'PYTHON' || fail "$(cat problems)"
import glob, json, os, subprocess, sys

def candidates(*words):
    lines = subprocess.run([sys.argv[1], "complete", *words], text=True, check=True, stdout=subprocess.PIPE).stdout
    return {line.split("\t")[0] for line in lines.splitlines()}

page = open("page").read().replace("\\-", "-")
benches = json.load(open("benchmarks.json"))["benchmarks"]
assert len(benches) > 5 and {b["id"] for b in benches} <= candidates("")
assert {a["id"] for a in json.load(open("apps.json"))["apps"]} <= candidates("apps", "--app", "")
suites = {os.path.basename(path)[:-5] for path in glob.glob(sys.argv[2] + "/configs/*.json")}
assert len(suites) > 5 and suites <= candidates("run", ""), suites
for b in benches:
    given = candidates(b["id"], "--")
    assert {"--" + p["name"] for p in b["params"]} | {"--device", "--resume"} <= given, b["id"]
    for p in b["params"]:
        assert f"\\fB--{p['name']}\\fR" in page, (b["id"], p)
    for m in b["metrics"]:
        assert f".BR {m['name']} " in page, (b["id"], m)
PYTHON
for heading in NAME SYNOPSIS BENCHMARKS 'EXIT STATUS' ENVIRONMENT FILES; do
  grep -q "^.SH $heading" page || fail "the manual page has no $heading"
done
if command -v man >/dev/null && man --version >/dev/null 2>&1; then
  MANROFFSEQ='' MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z page >/dev/null 2>warnings
  check "the manual page: $(head -n 3 warnings)" test ! -s warnings
  MANWIDTH=80 LC_ALL=C.UTF-8 man -l page 2>/dev/null | col -b >text
  grep -q -- '--wait-deadline MS' text || fail 'the manual page lacks --wait-deadline'
fi

# ---- Shells --------------------------------------------------------------------------------------

"$COOPBENCH" completion bash >coopbench.bash
mkdir -p results/one results/other
touch suite.json
# in_bash EXPECTED LINE
in_bash() {
  local found
  found=$(bash -uc 'source ./coopbench.bash; COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=(); _coopbench
    echo "${COMPREPLY[*]}"' - "$2" 2>&1) || true
  [[ $found == "$1" ]] || fail "bash: \"$2\": \"$found\" instead of \"$1\""
}
in_bash 'discover' 'coopbench disc'
in_bash 'random' 'coopbench run suite.json --order=r' # bash replaces what is behind the "="
in_bash 'ticket,spin' 'coopbench discover --protocol ticket,s'
in_bash 'suite.json' 'coopbench run su'
in_bash 'results/one results/other' 'coopbench plot results/o'
in_bash 'devices benchmarks apps configs' 'coopbench list '
in_bash 'smoke' 'coopbench run smo'
in_bash 'results/one' 'coopbench plot --output-dir=results/on'
in_bash '' 'coopbench discover --runs '
check 'bash does not know the function' bash -c 'source ./coopbench.bash; complete -p coopbench' >/dev/null

if command -v zsh >/dev/null; then
  "$COOPBENCH" completion zsh >_coopbench
  zsh -n _coopbench || fail 'zsh: syntax'
  cat >try.zsh <<'ZSH'
autoload() { : }; compdef() { : }
compadd() { shift 4; print -r -- "$@" }
_files() { print -r -- "files $*" }
source ./_coopbench
words=(coopbench "$@"); CURRENT=$#words; PREFIX=$words[-1]
compset() { : }
_coopbench
ZSH
  in_zsh() {
    local found
    found=$(zsh -f try.zsh "${@:2}" 2>&1) || true
    [[ $found == "$1" ]] || fail "zsh: \"${*:2}\": \"$found\" instead of \"$1\""
  }
  in_zsh 'discover' disc
  in_zsh 'devices benchmarks apps configs' list ''
  in_zsh '--order=random' run suite.json --order=r
  in_zsh 'files -/' plot ''
fi

if command -v fish >/dev/null; then
  "$COOPBENCH" completion fish >coopbench.fish
  in_fish() {
    local found
    found=$(HOME=$folder fish --no-config -c "source coopbench.fish; complete -C '$2'" 2>&1 | cut -f 1 | tr '\n' ' ') || true
    [[ $found == "$1 " ]] || fail "fish: \"$2\": \"$found\" instead of \"$1\""
  }
  in_fish 'discover' 'coopbench disc'
  in_fish 'apps benchmarks configs devices' 'coopbench list '
  in_fish 'ticket,spin' 'coopbench discover --protocol ticket,s'
  in_fish 'suite.json' 'coopbench run su'
fi
