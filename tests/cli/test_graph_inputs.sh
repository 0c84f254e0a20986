#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Graph files of all formats as inputs of an app, gzip-compressed too, and what is said of wrong ones.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# apps CODE FILE: bfs on it, once, with the document in document.json.
apps() {
  check_exit "$1" "$COOPBENCH" apps --cpu --wait-deadline 2000 --app bfs --mode specialised --verify \
    --input "$2" --json document.json
}

graphs=$SOURCE_DIR/tests/fixtures/graphs
for file in dimacs.gr plain.graph pattern-symmetric.mtx directed.el weighted.wel undirected.txt version-1.gr; do
  apps 0 "$graphs/$file"
  check_json document.json 'all(c["status"] == "ok" for c in d["cases"])' \
    'all(c["verification"]["status"] == "pass" for c in d["cases"])'
  gzip -c "$graphs/$file" >"$file.gz"
  if "$COOPBENCH" apps --cpu --wait-deadline 2000 --app bfs --mode specialised --verify --input "$file.gz" \
    >out 2>err; then continue; fi
  check_stderr 'zlib1g-dev|without zlib' # built without
done

# A wrong file is wrong usage: it is named with its line, and the device is not blamed.
printf 'p sp 2 1\na 1 3 5\n' >wrong.gr
apps 2 wrong.gr
check_schema run.schema.json document.json
check_json document.json 'd["cases"][0]["status"] == "usage"' 'd["exit_code"] == 2' \
  'd["cases"][0]["reason"].startswith("wrong.gr:2: second vertex: expected an integer from 1 to 2")'
check_stderr 'wrong.gr:2: second vertex'
apps 2 no-such-file.gr
check_stderr 'no generator .* and no file'
