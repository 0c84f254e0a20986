#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# sites.sh SOURCE PROGRAM...: all programs hold as they are, in a few executions, and run each place in
# kernels/ that has an order of memory, but for those below.
set -euo pipefail
cd "$1"
shift

# Waits in wait.clh are sites of their callers, and what gives a wait up is not run. The others: a limit that is written
# again as it was; an order that is given back, which few executions are too few for.
not_run='^kernels/(atomics|wait|coop/host_words)\.clh:|cb_host_store_release\(CB_ATOMIC\(d->limit\), s->limits\);$|'
not_run+='^kernels/coop/offers/any.*cb_store_release\(CB_ATOMIC\(w->in.words->orders\), 0\);$'

orders='cb_[a-z0-9_]+_(acquire|release|acq_rel)\(|cb_fence_[a-z_]+\(|cb_load(64)?_poll\(|cb_wait_(equal|reached)\('
ran=$(mktemp)
trap 'rm -f "$ran"' EXIT
for program in "$@"; do
  "$program" --quick --right --sites
done >"$ran" || {
  cat "$ran"
  exit 1
}
missing=$(grep -rnE "$orders" kernels --include='*.clh' | grep -vE 'static inline|:[0-9]+: \*' | grep -vE "$not_run" |
  while IFS= read -r line; do
    grep -qxF "site $(cut -d: -f1,2 <<<"$line")" "$ran" || echo "$line"
  done)
if [[ $missing ]]; then
  printf 'no program runs:\n%s\n' "$missing"
  exit 1
fi
grep -c '^site ' "$ran"
