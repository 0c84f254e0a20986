#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Bugs in the runtime that only the unit tests which compile its headers as C are sure to find: tests/planted/units.txt.
# Each test is compiled with a copy of the kernels, as it is, and with a bug.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

compile() { # TEST
  "${UNIT_COMPILER:?}" -std=c11 -w -O0 -D_GNU_SOURCE -I"$PWD/sources" -I"$SOURCE_DIR" -I"$PWD/sources/kernels" \
    "$SOURCE_DIR/tests/unit/unit.c" "$SOURCE_DIR/tests/unit/$1.c" -o "$1" -lcmocka -lm
}
echo '#include "tests/unit/unit.h"' >empty.c
"$UNIT_COMPILER" -I"$SOURCE_DIR" -fsyntax-only empty.c 2>/dev/null || exit 77 # no cmocka

copy_sources sources
bugs=0
while IFS= read -r line; do
  case $line in '# why: '*) why=${line#'# why: '} ;; esac
  [[ $line != '#'* ]] || continue
  IFS=$'\t' read -r file name script <<<"$line"
  if [ ! -e "$name.right" ]; then
    check "$name is compiled" compile "$name"
    check_exit 0 timeout 60 "./$name" "$name"
    touch "$name.right"
  fi
  cp "sources/$file" right
  plant "sources/$file" "$script"
  check "$name is compiled: $why" compile "$name"
  timeout 60 "./$name" "$name" >out 2>&1 && fail "$name does not find: $why"
  grep -q 'FAILED TEST' out || fail "$name does not end as a test that fails: $why: $(tail -3 out)"
  cp right "sources/$file"
  bugs=$((bugs + 1))
done <"$SOURCE_DIR/tests/planted/units.txt"
check "$bugs bugs, at least 10" test "$bugs" -ge 10
