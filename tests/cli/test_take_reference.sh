#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/take-reference.sh takes runs into results/reference. Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

# A tree with one run, and a document that quotes another, which is not there yet.
mkdir -p tree/results/reference/{gpu,plots} run
cp -r "$SOURCE_DIR"/scripts tree/
cat >tree/README.md <<'TEXT'
<!-- origin: Run = results/reference/gpu/new -->
<!-- end -->
TEXT
take() { check_exit "$1" tree/scripts/take-reference.sh "${@:2}"; }

echo "a table" >run/report.md
reference pocl-3.1/discover |
  sed 's#"argv":.*#"argv": ["run", "/home/me/configs/smoke.json", "-o", "/tmp/out"],#' >run/run.json
echo '{"name": "sized"}' >run/light.json
printf 'no pixels' >run/light.png
touch run/events.jsonl run/samples.csv run/summary.csv

take 0 gpu new=run
check "other files" diff <(ls tree/results/reference/gpu/new) - <<'TEXT'
light.json
light.png
report.md
run.json.gz
TEXT
kept=tree/results/reference/gpu/new/run.json.gz
gzip -cd $kept >kept.json
check "paths of folders" grep -q '"argv": \["run", "smoke.json", "-o", "out"\],' kept.json
check "more than paths has changed" test \
  "$(diff run/run.json kept.json | grep -c '^>')" = 1
check "tables are not filled" grep -q '^Run: pthread.* cases ok' tree/README.md

# What was there before goes.
rm run/light.json
take 0 gpu new=run
check "an old file" test ! -e tree/results/reference/gpu/new/light.json

take 2 gpu
check_stderr 'usage: .* DEVICE: gpu/'
take 2 nothing new=run
take 2 gpu new=no-run
check_stderr 'no-run: there is no run.json in no-run'
check "a wrong name removes" test -e $kept

# A run that is kept compressed already, taken again, is the same file.
cp -r tree/results/reference/gpu/new again
take 0 gpu new=again
check "not the same file" cmp again/run.json.gz $kept

# Of pictures, scripts and data are left out: "coopbench plot" writes them again.
mkdir so11
reference pocl-3.1/primitives >so11/run.json
take 0 gpu paper-so11=so11
check "other pictures" diff <(ls tree/results/reference/plots) <(printf 'fig%d.svg\n' 1 2 3)
