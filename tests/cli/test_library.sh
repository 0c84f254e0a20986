#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The library, from an installed tree: the example programs, with both libraries; what it shows and
# what it refuses (library_misuse.c). 77: there is no device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
need_libclang

cmake --install "$BINARY_DIR" --prefix "$PWD/tree" >installed || fail "cannot install"
PKG_CONFIG_PATH=$(dirname "$(find "$PWD/tree" -name coopbench.pc)")
export PKG_CONFIG_PATH
examples=$(dirname "$(find "$PWD/tree" -name filter.c)")
libraries=$(pkg-config --variable=libdir coopbench)
cc=${CC:-cc}

build() { # SOURCE PROGRAM OPTION...
  # shellcheck disable=SC2046 # words
  $cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror "${@:3}" $(pkg-config --cflags coopbench) "$1" -o "$2" \
    $(pkg-config --libs coopbench) -lm || fail "cannot build $1"
}
run() { LD_LIBRARY_PATH=$libraries timeout 120 "$@"; }

for program in filter solver watchdog; do
  [ "$(wc -l <"$examples/$program.c")" -le 100 ] || fail "$program.c has more than 100 lines"
  build "$examples/$program.c" ./$program
  run ./$program cpu "$examples" >out 2>err || { cat out err >&2; fail "$program: exit code $?"; }
done
grep -q '^0 values are wrong$' <(run ./filter cpu "$examples") || fail "filter: wrong values"

# From C++, too.
printf '%s\n' '#include <coopbench.h>' 'int main() { unsigned n = 1; coopbench_argument a[] = {COOPBENCH_VALUE(n), COOPBENCH_LOCAL(8)};' \
  'return coopbench_version()[0] == 0 || a[0].size != 4; }' >plus.cpp
if command -v c++ >/dev/null; then
  # shellcheck disable=SC2046
  c++ -std=c++17 $(pkg-config --cflags coopbench) plus.cpp -o plus $(pkg-config --libs coopbench) || fail "cannot build from C++"
  run ./plus || fail "C++: exit code $?"
fi

# The static library, without any other of ours.
# shellcheck disable=SC2046
$cc -std=c11 -D_GNU_SOURCE $(pkg-config --cflags coopbench) "$examples/solver.c" -o static \
  "$libraries/libcoopbench.a" $(pkg-config --static --libs-only-l coopbench | sed 's/-lcoopbench//') || fail "cannot link statically"
run ./static cpu "$examples" >out || fail "static: exit code $?"
grep -q '^0 values are wrong$' out || fail "static: $(cat out)"

# Nothing but its own functions is to be seen.
nm -D --defined-only "$libraries/libcoopbench.so" | awk '{print $3}' | grep -v '^coopbench_' >others &&
  fail "the library shows: $(head -3 others)"
nm -D --defined-only "$libraries/libcoopbench.so" | awk '{print $3}' | sort >shown
grep -oE 'coopbench_[a-z_]+\(' "$(find tree -name coopbench.h)" | tr -d '(' | sort -u | diff - shown ||
  fail "the header and the library differ"

# A kernel that submits tasks itself.
build "$SOURCE_DIR/tests/cli/library_children.c" ./children
run ./children cpu "$SOURCE_DIR/tests/fixtures" >out || fail "children: exit code $?"
grep -qE '^0 sums are wrong, [0-9]+ of 120 children refused$' out || fail "children: $(cat out)"

build "$SOURCE_DIR/tests/cli/library_misuse.c" ./misuse
run ./misuse cpu "$examples" || fail "misuse: exit code $?"
for call in $(grep -vxE 'coopbench_(version|close|message)' shown); do # take a handle at most, which may be NULL
  grep -q "\"$call\"" "$SOURCE_DIR/tests/cli/library_misuse.c" || fail "misuse has no null pointers for $call"
done
