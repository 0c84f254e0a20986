#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Pictures of a run, with gnuplot and without.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

check_exit 0 "$COOPBENCH" discover --cpu --protocol ticket,lockfree --microbenchmark 11 \
  --wg-sizes 8,32 --runs 3 --run-id run
check_stdout '^Pictures: coopbench plot results/run$'

# pictures FOLDER RUNS: what so many runs have data for was drawn.
pictures() {
  local figure
  for figure in fig7 fig8; do
    check_stdout "^$1/$figure.svg$"
    check_stdout "^$1/$figure.png$"
    check "$1/$figure.svg is no SVG" grep -q '<svg' "$1/$figure.svg"
    check "$1/$figure.svg is cut off" grep -q '</svg>' "$1/$figure.svg"
    check "$1/$figure.png is no PNG" test "$(head -c 8 "$1/$figure.png" | od -An -tx1 | tr -d ' ')" = \
      89504e470d0a1a0a
  done
  check "$1/fig7.dat: not a row for a microbenchmark" test "$(grep -c '^[0-9]' "$1/fig7.dat")" = "$2"
  check "$1/fig8.dat: not two sizes of two protocols" test "$(grep -c '^[0-9]' "$1/fig8.dat")" = $((4 * $2))
  check "$1/fig8.dat lacks times" test \
    "$(awk -F'\t' '/^[0-9]/ && $8 >= $9 && $8 <= $10 && $9 > 0' "$1/fig8.dat" | wc -l)" = $((4 * $2))
}

check_exit 0 "$COOPBENCH" plot results/latest
pictures results/latest/plots 1
check_exit 0 "$COOPBENCH" plot results/run/run.json results/run -o elsewhere/deeper
pictures elsewhere/deeper 2

# Somebody can draw them again, as another picture.
check_exit 0 env -C results/run/plots gnuplot -e "out='again.svg'" fig7.gp
check "not drawn again" test -s results/run/plots/again.svg

# Nothing else on PATH is needed; the program is named by its path.
program=$(realpath "$COOPBENCH")
mkdir empty
check_exit 77 env PATH="$PWD/empty" "$program" plot results/run -o without
check_stderr 'gnuplot-nox'
check "no data without gnuplot" test -s without/fig7.dat -a -s without/fig7.gp

mkdir nonsense
echo '{}' >nonsense/run.json
for path in nowhere "$PWD" nonsense nonsense/run.json; do
  check_exit 2 "$COOPBENCH" plot "$path"
  check_stderr "^coopbench: $path"
done
