#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/ci-perf.sh: what it measures, what it compares with, what it keeps, and its exit codes. The
# comparison is a stand-in, so that nothing depends on the noise of this machine.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_SHA CI_COMMIT_SHA
ci=$SOURCE_DIR/scripts/ci-perf.sh

# The suite can be run, and does not take long on a CPU device.
check_exit 0 "$COOPBENCH" run "$SOURCE_DIR/configs/ci.json" --cpu --dry-run
check "configs/ci.json has few cases" test "$(wc -l <out)" -ge 20

cat >quick.json <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "suite": [
  {"bench": "discover", "protocol": "lockfree", "microbenchmark": "11", "wg-sizes": "none", "bound": "off", "launch": "16", "runs": 10}]}
JSON
# Measures; says of comparisons and exports how it was called. The codes to end with are in the file "codes".
cat >program <<'SH'
#!/usr/bin/env bash
echo "$*" >>calls
case $1 in
compare)
  code=$(head -n 1 codes); sed -i 1d codes
  while (($#)); do
    [[ $1 != --markdown ]] || echo "verdict $code" >"$2"
    [[ $1 != --json ]] || echo '{"case":"discover/lockfree/11/launch=16","bench":"discover","verdict":"regression"}' >"$2"
    shift
  done
  exit "$code" ;;
export) [[ $* != *github* ]] || echo '[]' >"$5" ;;
run) [[ $* == *--interleave* || $* != *--rounds* ]] || set -- "$@" --rounds 2 # fewer do here
  exec "$COOPBENCH" "$@" ;;
*) exec "$COOPBENCH" "$@" ;;
esac
SH
chmod +x program
# ci EXIT-CODE CODES OPTION...: runs the script; the comparisons end with CODES.
ci() {
  tr ' ' '\n' <<<"$2" >codes
  rm -f calls
  check_exit "$1" "$ci" --program ./program --config quick.json "${@:3}"
}
baselines() { find ci-baseline -mindepth 2 -maxdepth 2 | wc -l; }
calls() { grep -c "^$1" calls || true; }

ci 0 '' --update
check_stdout 'no baseline yet in ci-baseline/.*'
check_stdout 'is a baseline now'
check 'the first run is not kept' test "$(baselines)" = 1
ci 0 0 --update --keep 2
check 'not measured in rounds' grep -q '^run quick.json --runs 5 --rounds 5 --cpu ' calls
check 'nothing was compared' grep -Eq '^compare --baseline ci-baseline/[^ ,/]+/[^ ,/]+ ci-results/[^ ]+ --fail-on regression ' calls
check 'not exported' test "$(calls export)" = 2
ci 0 0 --update --keep 2
check 'old baselines are not dropped' test "$(baselines)" = 2
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=summary ci 5 '5 5' --update --keep 2
check 'a regression is not measured again' test "$(calls run)" = 2
check 'a regression became a baseline' test "$(baselines)" = 2
check 'no summary' grep -qx 'verdict 5' summary
check 'not in the form of GitHub' grep -q -- '--format github' calls
ci 0 '5 0' --update --keep 2 # a bad minute
ci 6 6 # nothing could be compared
ci 6 6 --strict
check 'not strict' grep -q -- '--fail-on regression,inconclusive' calls
ci 0 '5 5' --accept
check 'other baselines than the accepted one' test "$(baselines)" = 1
ci 5 '5 5' --against ./program --rounds 5 --compare --threshold=9%
check 'options of the comparison' grep -q ' --threshold=9% ' calls
check 'the builds do not take turns' grep -q '^run quick.json --runs 5 --interleave ./program --rounds 5 --cpu ' calls
check 'no rounds of the other build' test "$(grep -c '^run .* --output-dir ci-results/[^ ]*-a/rounds ' calls)" = 15
check 'not compared with it' grep -Eq '^compare --baseline [^ ,]+-a [^ ,]+-b ' calls
check 'the suspects are not measured again' \
  grep -q '^run quick.json .*--interleave ./program --rounds 10 --filter discover/lockfree/11/launch=16 ' calls
check 'or compared again' grep -Eq '^compare --baseline [^ ]+-again-a .* --filter discover/lockfree/11/launch=16 ' calls
check 'kept a run of --against' test "$(baselines)" = 1
ci 77 '' -- --device name:nosuch
ci 2 '' --nosuch
ci 2 '' --against ./program --update
ci 2 '' --keep 0
ci 2 '' --rounds 4

# With the real comparison, if this program has it: a build against itself.
if "$COOPBENCH" compare --help >/dev/null 2>&1 && "$COOPBENCH" export --help >/dev/null 2>&1; then
  code=0
  "$ci" --program "$COOPBENCH" --config quick.json --against "$COOPBENCH" --rounds 5 --output real >out 2>err || code=$?
  ((code == 0 || code == 5)) || fail "exit code $code of a build against itself" # noise may fool it
  for file in compare.json compare.md junit.xml github-smaller.json; do
    check "no $file" test -s "real/$file"
  done
fi

# The workflows can be read, and call the script with options that it has.
if python3 -c 'import yaml' 2>/dev/null; then
  check 'the workflows are no YAML' python3 -c 'import sys, yaml
for path in sys.argv[1:]: assert yaml.safe_load(open(path))' "$SOURCE_DIR"/docs/ci/*.yml
fi
check_exit 0 "$ci" --help
grep -ho 'ci-perf.sh --[a-z]*' "$SOURCE_DIR"/docs/ci/*.yml "$SOURCE_DIR"/docs/ci.md | sort -u >used
check 'no workflow uses the script' test -s used
while read -r _ option; do
  check_stdout "^  $option "
done <used
