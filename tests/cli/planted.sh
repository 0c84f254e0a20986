# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests/cli/test_apps_planted*.sh and test_launch_planted_*.sh, which source it after lib.sh. Bugs are planted in a
# copy of the sources, one at a time; each has to be found by the checks of the results. Lists of them are
# tests/planted/APP.txt, of the authors' form APP_paper.txt, of programs of launch launch_PROGRAM.txt. After a comment,
# which says what the bug is, come the file and a script of sed, with a tab between. Programs of launch may have options
# after another tab, and before the bug "# says:" with what the program has to say of it, a regular expression.
copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources

# By results that are wrong, a wait that has no end, or work that has no room. A crash is none of a check's.
found_by_check() {
  holds document.json \
    'any(c["status"] in ("verify_failed", "timeout") or
         re.search("no room for more work|dmr: there is room for", c["reason"] or "") for c in d["cases"])'
}

# run_to_document COMMAND...: the program, which may take a minute.
run_to_document() {
  rm -f document.json
  timeout -k 5 60 "$COOPBENCH" "$@" --cpu --wait-deadline 500 --json document.json >out 2>err
}

# Once with each input; the second run finds what the first one has left.
run_inputs() {
  run_to_document apps --app "$app" --variant "$variant" --mode portable --verify --runs 2 "${options[@]}"
}

# Random inputs and tasks, and many runs in a launch.
run_random() {
  run_to_document selftest --app "$app" --variant "$variant" --stress 4 --together none --seed "$1"
}

# Whether some run finds the bug that is planted.
is_found() {
  local seed
  run_inputs || { found_by_check && return; }
  for seed in 1 2 3; do
    run_random $seed || { found_by_check && return; }
  done
  return 1
}

# plant_each LIST LEAST FOUND: FOUND, with the line's options, has to succeed for each of the list's bugs, which are LEAST
# or more.
plant_each() {
  local line why says='' file script more list=$1 bugs=0
  while IFS= read -r line; do
    case $line in
      '# why: '*) why=${line#'# why: '} ;;
      '# says: '*) says=${line#'# says: '} ;;
    esac
    [[ $line != '#'* ]] || continue
    IFS=$'\t' read -r file script more <<<"$line"
    cp "sources/$file" right
    plant "sources/$file" "$script"
    SECONDS=0
    # shellcheck disable=SC2086 # the rest are options
    "$3" $more || fail "$list: not found: $why: $(cat filtered)"
    [[ -z $says ]] || check_stderr "$says"
    says=''
    echo "$list, $SECONDS s: $why"
    cp right "sources/$file"
    bugs=$((bugs + 1))
  done <"$SOURCE_DIR/tests/planted/$list.txt"
  check "$list: $bugs bugs, at least $2" test "$bugs" -ge "$2"
}

# planted LIST OPTION...: the inputs of the app that let each of the list's bugs show, and what else they need.
planted() {
  local list=$1 least=10
  app=${list%_paper}
  variant=ours
  if [[ $list == *_paper ]]; then
    variant=paper
    least=5
  fi
  options=("${@:2}")
  check "$list passes" run_inputs
  plant_each "$list" $least is_found
}

# ---- Programs of launch ----------------------------------------------------------------------------------------------

# launch_programs OPTION...: once, also with the options.
launch_programs() { run_to_document launch --runs 1 --warmup 0 "${options[@]}" "$@"; }

# Whether the check of each program finds the bug, by some launcher.
is_found_in_each() {
  ! launch_programs "$@" && holds document.json 'd["cases"]' \
    '{c["params"]["program"] for c in d["cases"]} == {c["params"]["program"] for c in d["cases"] if c["status"] in ("verify_failed", "timeout")}'
}

# planted_launch NAME OPTION...: those of launch_NAME; the programs and the launchers that they need, if a bug has no
# other ones.
planted_launch() {
  options=("${@:2}")
  check "launch_$1 passes" launch_programs
  plant_each "launch_$1" 10 is_found_in_each
}

# wrong EXIT FILE SCRIPT OPTION...: a bug in a file.
wrong() {
  cp "sources/$2" right
  plant "sources/$2" "$3"
  check_exit "$1" "$COOPBENCH" launch --cpu --size medium --runs 1 --warmup 0 --wait-deadline 200 "${@:4}"
  cp right "sources/$2"
}
