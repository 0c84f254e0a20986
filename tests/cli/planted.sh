# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests/cli/test_apps_planted*.sh, which source it after lib.sh. Bugs are planted in a copy of the sources of
# an app, one at a time; each has to be found by the checks of its results. They are listed in tests/planted/APP.txt,
# those of the authors' form in APP_paper.txt: after a comment, which says what the bug is, the file and a script of
# sed, with a tab between.
copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources

# By results that are wrong, a wait that has no end, or work that has no room. A crash is none of a check's.
found_by_check() {
  holds document.json \
    'any(c["status"] in ("verify_failed", "timeout") or "no room for more work" in (c["reason"] or "") for c in d["cases"])'
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

# planted LIST OPTION...: the inputs of the app that let each of the list's bugs show, and what else they need.
planted() {
  local line why file script list=$1 bugs=0 least=10
  app=${list%_paper}
  variant=ours
  if [[ $list == *_paper ]]; then
    variant=paper
    least=5
  fi
  options=("${@:2}")
  check "$list passes" run_inputs
  while IFS= read -r line; do
    if [[ $line == '#'* ]]; then
      why=${line#'# why: '}
      continue
    fi
    file=${line%%$'\t'*}
    script=${line#*$'\t'}
    cp "sources/$file" right
    plant "sources/$file" "$script"
    SECONDS=0
    is_found || fail "$list: not found: $why: $(cat filtered)"
    echo "$list, $SECONDS s: $why"
    cp right "sources/$file"
    bugs=$((bugs + 1))
  done <"$SOURCE_DIR/tests/planted/$list.txt"
  check "$list: $bugs bugs, at least $least" test "$bugs" -ge $least
}
