#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs in the formats of other tools, as those take them. Needs no device: nothing is measured.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
fixture=$SOURCE_DIR/tests/fixtures/export/run.json
reference=$SOURCE_DIR/results/reference

check_schema ../docs/run.schema.json "$fixture"

# consumer FORMAT FILE: whether the file has what its consumers demand, by a schema or a reader.
consumer() {
  if [[ -e $SOURCE_DIR/tests/consumers/$1.schema.json ]]; then
    check_schema "../tests/consumers/$1.schema.json" "$2"
  else
    check_exit 0 python3 "$SOURCE_DIR/tests/consumers/$1.reader.py" "$2"
  fi
}

# --- A made-up run with every status, and real ones -----------------------------------------------
mkdir made real
check_exit 0 "$COOPBENCH" export --help
formats=($(sed -n '/^Formats:/,/^$/s/^  \([a-z]*\) .*/\1/p' out))
for format in "${formats[@]}"; do
  [[ $format != github ]] || continue # below
  check_exit 0 "$COOPBENCH" export --to $format -o made/$format "$fixture"
  check_exit 0 "$COOPBENCH" export --to $format -o real/$format "$reference"/pocl-3.1/discover
  "$COOPBENCH" export "$fixture" -t $format >piped
  check "$format: not the same on standard output" cmp -s piped made/$format
done
check_exit 0 "$COOPBENCH" export --to github -o made/github.json "$fixture"
check_stdout '^made/github-smaller.json$'
check_stdout '^made/github-bigger.json$'
check_exit 0 "$COOPBENCH" export --to github --direction smaller "$fixture"
check "--direction smaller" cmp -s out made/github-smaller.json
check_exit 0 "$COOPBENCH" export --to github -o real/github "$reference"/pocl-3.1/discover

# A run by its name in results/.
mkdir -p results/one
cp "$fixture" results/one/run.json
ln -s one results/latest
for run in one latest results/latest; do
  "$COOPBENCH" export --to junit $run >piped
  check "$run is another run" cmp -s piped made/junit
done
check_exit 2 "$COOPBENCH" export --to junit other
check_stderr '^coopbench: other: .*expected the folder of a run'

for folder in made real; do
  for format in "${formats[@]}"; do
    for file in "$folder/$format"{,-*}; do
      [[ ! -e $file ]] || consumer "$format" "$file"
    done
  done
  check_json $folder/gbench 'len({(b["name"], b["repetition_index"]) for b in d["benchmarks"]}) == len(d["benchmarks"])'
done
for file in {made,real}/github-*; do
  check_json "$file" 'len({b["name"] for b in d}) == len(d)'
done
check_json made/github-smaller.json '[b["value"] for b in d] == [1500, 812.25, 2500]' \
  'd[0]["range"] == "± 100"' '"range" not in d[1]'
check_json made/github-bigger.json '{b["unit"] for b in d} == {"workgroups", "B/s"}'
check_json made/gbench 'sum("error_occurred" in b for b in d["benchmarks"]) == 5' \
  'any("timeout: " in b["error_message"] for b in d["benchmarks"] if "error_occurred" in b)' \
  'not any(b["real_time"] == 0 for b in d["benchmarks"] if "error_occurred" not in b)'
check_json made/bmf 'd["example-gpu/memory/read/wg=32"]["latency"] == {"value": 812.25}'
check_json real/bmf 'd["discover/ticket/11/delay=adaptive"]["groups-found"]["value"] == 8'
check_json made/hyperfine 'd["results"][0]["median"] == 1500e-9' 'd["results"][1]["stddev"] is None'

# --- What is in files that are no JSON ------------------------------------------------------------
consumer junit made/junit
check "cases of made/junit" test "$(wc -l <out)" = 8
check_stdout '^discover/spin/11/delay=0: failure a wait in the kernel passed 200 ms <b>&</b>$'
check_stdout '^primitives/mutex/spin: error '
check_stdout '^primitives/mutex/xf: skipped '
consumer junit real/junit
check "cases of real/junit" test "$(wc -l <out)" = 36
consumer csv made/csv
check_stdout '^memory/read/wg=32 ok latency 812.25$'
check_stdout '^primitives/mutex/xf unsupported  $'

if command -v gnuplot >/dev/null; then
  check_exit 0 gnuplot -d -e "set datafile separator ','; set table 'plotted'; \
    plot '<grep -E \"^run_id|protocol_time\" real/csv' using (column('n')):(column('median'))"
  check "gnuplot does not read the CSV" grep -Eq '^ *50 +[0-9.]+ ' plotted
else
  echo "skipped: gnuplot reading the CSV (there is none)"
fi

# --- Consumers themselves, where they are ---------------------------------------------------------
compare=/usr/share/benchmark/compare.py
if [[ -f $compare ]] && /usr/bin/python3 -c 'import scipy' 2>/dev/null; then
  check_exit 0 /usr/bin/python3 $compare --no-color benchmarks real/gbench real/gbench
  check_stdout 'discover/ticket/11/delay=adaptive/protocol_time +\+0\.0000'
  check_exit 0 /usr/bin/python3 $compare --no-color benchmarks made/gbench made/gbench
  for i in 1 2 3; do # the same cases in several runs are repetitions
    cp -r "$reference"/pocl-3.1/discover repeated-$i
  done
  check_exit 0 "$COOPBENCH" export --to gbench -o repeated repeated-{1,2,3}
  check_exit 0 /usr/bin/python3 $compare --no-color benchmarks repeated repeated
  check_stdout 'U Test, Repetitions: 3 vs 3'
else
  echo "skipped: Google Benchmark's compare.py (libbenchmark-tools and python3-scipy have it)"
fi

cat >zod.js <<'NODE'
const { z } = require("zod"), fs = require("fs");
const schema = z.array(z.object({ name: z.coerce.string(), unit: z.coerce.string(),
  value: z.coerce.number(), range: z.coerce.string().optional(), extra: z.coerce.string().optional() }));
for (const file of process.argv.slice(2)) {
  const written = JSON.parse(fs.readFileSync(file));
  if (JSON.stringify(schema.parse(written)) !== JSON.stringify(written)) throw `${file}: changed`;
}
NODE
if command -v node >/dev/null && node -e 'require("zod")' 2>/dev/null; then
  check_exit 0 node zod.js {made,real}/github-*
else
  echo "skipped: zod, with which github-action-benchmark checks (NODE_PATH has no zod)"
fi

# --- Bad input ------------------------------------------------------------------------------------
check_exit 2 "$COOPBENCH" export "$fixture"
check_stderr 'export to which format'
check_exit 2 "$COOPBENCH" export --to githab "$fixture"
check_stderr 'did you mean.*github'
check_exit 2 "$COOPBENCH" export --to csv
check_stderr 'which run'
check_exit 2 "$COOPBENCH" export --to github "$fixture"
check_stderr '--direction smaller or bigger'
check_exit 2 "$COOPBENCH" export --to csv --direction smaller "$fixture"
check_stderr 'for --to github'
check_exit 2 "$COOPBENCH" export --to bmf "$reference"/pocl-3.1/discover{,}
check_stderr 'more than one run has .*discover/'
check_exit 0 "$COOPBENCH" export --to csv "$reference"/pocl-3.1
check_exit 1 "$COOPBENCH" export --to csv -o /dev/full "$fixture"
check_stderr 'cannot write /dev/full'
check_exit 1 "$COOPBENCH" export --to csv -o nowhere/x "$fixture"
check_exit 2 "$COOPBENCH" export --to csv nowhere
head -c 1000 "$fixture" >cut.json
check_exit 2 "$COOPBENCH" export --to csv cut.json
check_stderr 'cut off'
sed 's/"2.0"/"9.0"/' "$fixture" >later.json
check_exit 2 "$COOPBENCH" export --to csv later.json
check_stderr 'schema_version "9.0"'
sed 's/"status": "ok"/"status": "error"/' "$fixture" >failed.json
check_exit 2 "$COOPBENCH" export --to bmf -o failed failed.json
check_stderr 'nothing to export'
check "an empty file for nothing" test ! -e failed
sed 's/"complete": true/"complete": false/' "$fixture" >interrupted.json
check_exit 0 "$COOPBENCH" export --to md interrupted.json
check_stderr 'run fixture-export is not complete'
check_exit 0 "$COOPBENCH" export --to md "$fixture"
check "a warning about a run that is complete" test ! -s err
check_exit 0 "$COOPBENCH" export --help
check_stdout '^  bmf '
