#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The HTML page of one run and of many. Needs no device: nothing is measured.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
cli=$SOURCE_DIR/tests/cli
fixture=$SOURCE_DIR/tests/fixtures/export/run.json
reference=$SOURCE_DIR/results/reference


check_exit 0 "$COOPBENCH" report "$fixture" -o made
check_stdout '^made/report.html$'
check_exit 0 python3 "$cli/report_page.py" made/report.html
check_stdout '^runs 1 cases 8 rows 11 '
check "the hostile name is not there as text" \
  grep -qF "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot; | \`x\`" made/report.html
check "the reason is not there as text" grep -qF 'passed 200 ms &lt;b&gt;&amp;&lt;/b&gt;' made/report.html

cp -r "$reference"/pocl-3.1/discover run
check_exit 0 "$COOPBENCH" report run
check_stdout '^run/report.html$'
check_exit 0 python3 "$cli/report_page.py" run/report.html
check_stdout '^runs 1 cases 36 '
check "not said what the numbers mean" grep -q '<li>8 workgroups run at once, ' run/report.html
check "a command is not code" grep -q '<li><code>coopbench primitives --cpu</code> tells' run/report.html
check "a word's option is not code" grep -q '<dd>.*<code>--tune</code> finds' run/report.html
check "no table of the benchmark" grep -q '<th>configuration</th>' run/report.html
if command -v gnuplot >/dev/null; then
  check "no picture" grep -q '<figure id="figure-fig7"><svg' run/report.html
fi

# Without gnuplot, there is a page, and it says so.
program=$(realpath "$COOPBENCH")
mkdir empty
check_exit 0 env PATH="$PWD/empty" "$program" report run -o without
check "not said that gnuplot is missing" grep -q 'Not drawn: .*gnuplot-nox' without/report.html
check "names a folder that is gone" test -z "$(grep -o 'coopbench-report-' without/report.html)"
check_exit 0 python3 "$cli/report_page.py" without/report.html

# Real runs of several devices, and a folder without runs among them. Without the two largest, whose documents are as much
# as all the others together: test_report_large.sh has large ones.
mkdir devices
cp -rs "$reference"/*/ devices
rm -r devices/*/selftest-stress
check_exit 0 "$COOPBENCH" report devices/*/ -o all
check_stderr 'Warning: no run in .*/plots'
check_exit 0 python3 "$cli/report_page.py" all/report.html
check "a device is listed again for each run, or for each card" test "$(
  sed -n '/<section id="devices">/,/<\/section>/p' all/report.html | grep -c '^<tr><td>NVIDIA H200<')" = 1
cards=$(gzip -cd devices/*/*/run.json.gz | grep -o '"id":	"uuid:[^"]*"' | sort -u | wc -l)
check "not all cards of a kind are named" test "$(
  sed -n '/<section id="devices">/,/<\/section>/p' all/report.html | grep -o 'uuid:' | wc -l)" = "$cards"
