#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs that are kept as run.json.gz are read by every command that reads runs.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

mkdir -p results/{packed,plain,cut,bomb,empty}
cp "$SOURCE_DIR"/tests/fixtures/export/run.json results/plain/
gzip -c results/plain/run.json >results/packed/run.json.gz
if ! "$COOPBENCH" export --to csv packed >out 2>err; then
  check_stderr 'zlib1g-dev' # built without
  echo "skipped: no zlib"
  exit 77
fi

# --- Reading --------------------------------------------------------------------------------------
"$COOPBENCH" export --to csv plain >expected
for run in packed results/packed results/packed/run.json.gz; do
  check_exit 0 "$COOPBENCH" export --to csv $run
  check "$run is another run" cmp -s out expected
done

check_exit 6 "$COOPBENCH" compare --baseline plain packed --json compared.json
check_json compared.json 'd["run"]["file"].endswith("results/packed/run.json.gz")'
gzip -cd "$SOURCE_DIR/results/reference/pocl-3.1/discover/run.json.gz" >results/plain/run.json
gzip -c results/plain/run.json >results/packed/run.json.gz
for run in plain packed; do
  check_exit 0 "$COOPBENCH" report $run -o page-$run
done
check_exit 0 "$COOPBENCH" report plain packed -o page
if command -v gnuplot >/dev/null; then
  check_exit 0 "$COOPBENCH" plot packed
  check_stdout '^results/packed/plots/fig8.svg$'
fi
check_exit 2 "$COOPBENCH" export --to csv results/empty
check_stderr 'results/empty: there is no run.json in it; expected .* The newest run near it is results/packed$'

# run.json is the newer of two.
sed 's/"run_id":.*/"run_id": "newer",/' results/plain/run.json >results/packed/run.json
check_exit 0 "$COOPBENCH" export --to csv packed
check_stdout '^newer,'
rm results/packed/run.json

# --- Damaged --------------------------------------------------------------------------------------
head -c 3000 results/packed/run.json.gz >results/cut/run.json.gz
head -c 400000001 /dev/zero | tr '\0' ' ' | gzip -1 >results/bomb/run.json.gz
for command in 'export --to csv' report plot 'compare --baseline plain'; do
  # shellcheck disable=SC2086
  check_exit 2 "$COOPBENCH" $command cut
  check_stderr 'results/cut/run.json.gz: byte 3000: damaged gzip data: unexpected end of file'
done
check_exit 2 "$COOPBENCH" export --to csv bomb
check_stderr 'cannot read .*bomb/run.json.gz: unpacked, it has more than the 400 MB that a run.json has$'

# --- Completing -----------------------------------------------------------------------------------
need_cpu
measure() {
  check_exit "$1" "$COOPBENCH" discover --cpu -p lockfree -m 11 --wg-sizes none --bound off --launch 16 --runs 3 "${@:2}"
}
measure 0 --run-id begun
gzip -9 results/begun/run.json
measure 1 --run-id begun
check_stderr 'results/begun holds a run already'
measure 0 --resume begun
check_stderr 'kept of results/begun'
check_schema run.schema.json results/begun/run.json
check_json results/begun/run.json 'd["complete"] and len(d["time"]["resumed"]) == 1'
check_exit 2 "$COOPBENCH" discover --cpu --run-id run.json.gz
check_stderr 'uses the name "run.json.gz"'
