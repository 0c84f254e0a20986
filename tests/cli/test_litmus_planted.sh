#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Bugs of the litmus kernel are found for certain, however busy the machine is: by its outcomes on weak memory
# (tests/weak/litmus_play.c), all of them, and by a launch on the CPU device those that any launch shows.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
command -v cc >/dev/null || {
  echo "skipped: no C compiler"
  exit 77
}
source "$SOURCE_DIR/tests/cli/planted.sh"

# What does not change is compiled once.
flags=(-std=c11 -D_GNU_SOURCE -O1 -Isources -Isources/kernels)
for file in "$SOURCE_DIR"/tests/weak/{memory,explore,access,sites}.c sources/probes/litmus/{axioms,program,table}.c; do
  cc "${flags[@]}" -c "$file" -o "$(basename "$file" .c).o"
done

play() { cc "${flags[@]}" "$SOURCE_DIR/tests/weak/litmus_play.c" ./*.o -o play && timeout 60 ./play >out; }
launch() {
  "$COOPBENCH" litmus --cpu --runs 1 --iterations 1 --test "$1" --ordering "$2" --json document.json >launched 2>err
}

# found [TEST ORDER]
found() {
  ! play && grep -q WRONG out || return 1
  (($# == 0)) && return
  ! launch "$@" && holds document.json 'd["cases"] and all(c["status"] == "verify_failed" for c in d["cases"])'
}

check "without bugs" play
check "without bugs, on the device" launch MP,SB,CoRR relaxed
plant_each litmus 15 found
