#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The author's guide, part 1, as printed: its files, and its commands in their order, with less to measure.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8
guide=$SOURCE_DIR/docs/cooperative-kernels.md

# A block after "`NAME`:" is that file; lines of four blanks are commands.
python3 - "$guide" <<'PYTHON'
import pathlib, re, sys

text = pathlib.Path(sys.argv[1]).read_text()
for name, block in re.findall(r"`([\w.-]+)`:\n\n```\w+\n(.*?)^```$", text, flags=re.S | re.M):
    pathlib.Path(name).write_text(block)
outside = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
pathlib.Path("commands").write_text("".join(f"{c}\n" for c in re.findall(r"^    coopbench (.*)$", outside, flags=re.M)))
PYTHON
for file in ring.cl ring.json blur.cl blur.json squares.cl fill.cl parents.cl parents.json walk.cl tree.cl tree.json; do
  check "the guide has no $file" test -s $file
done
for file in ring blur parents tree; do
  check_schema setup.schema.json $file.json
done
sed -i 's/200000/2000/; s/400000/4000/; s/786432/3072/; s/1024, 768/64, 48/; s/1024/64/; s/768/48/' ring.json blur.json
sed -i 's/--stress [0-9]*/--stress 5/' commands

measure() { # COMMAND...
  case $1 in
    multitask) set -- "$@" --scale tiny --groups 1 --runs 1 --budget 0.05 ;;
    apps) set -- "$@" --scale tiny --wg-size suited --runs 1 ;;
    preempt) set -- "$@" --scale tiny --runs 1 ;;
    selftest) ;;
    *)
      "$COOPBENCH" "$@"
      return
      ;;
  esac
  "$COOPBENCH" "$@" --cpu --json document.json
}
n=0
while read -ra command; do
  check_exit 0 measure "${command[@]}"
  n=$((n + 1))
done <commands
check "the guide has $n commands" test $n -ge 10
check_json document.json 'd["cases"] and all(c["status"] == "ok" for c in d["cases"])'
