#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What scripts/quickstart.sh installs is enough for all that README.md offers: no part of the build is optional there. The
# package manager is a fake one, which has nothing and notes what is asked of it.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
printf '#!/bin/sh\necho "$@" >>"%s/asked"\n' "$PWD" >bin/apt-get
printf '#!/bin/sh\nexec "$@"\n' >bin/sudo
chmod +x bin/*
check_exit 0 env PATH="$PWD/bin:$PATH" CI= "$SOURCE_DIR/scripts/bootstrap.sh"
sed -n 's/^install //p' asked | tr ' ' '\n' | grep -v '^-' >installed
check "bootstrap.sh installs nothing: $(cat asked)" grep -qx cmake installed

# offers WHAT PACKAGE...: fails the test for each package that is not installed.
offers() {
  local package
  for package in "${@:2}"; do
    grep -qx "$package" installed || fail "$1: scripts/quickstart.sh does not install $package"
  done
}

# Each part that CMake leaves out where something is missing, by the message that says so.
sed -n 's/.*message(STATUS "No .*(Debian: \([^)]*\)): .*/\1/p' "$SOURCE_DIR/CMakeLists.txt" >optional
for package in zlib1g-dev libsqlite3-dev libegl-dev libgles-dev libpng-dev libclang-dev; do
  grep -qw -- "$package" optional || fail "CMakeLists.txt no longer names $package"
done
while read -r packages; do
  # shellcheck disable=SC2086 # words
  offers "the build has no optional parts" $packages
done <optional
check "a part is optional, and its message names no package of Debian" \
  test "$(grep -c 'message(STATUS "No ' "$SOURCE_DIR/CMakeLists.txt")" = "$(wc -l <optional)"

# What runs beside the program.
grep -q 'coopbench plot' "$SOURCE_DIR/README.md" && offers plot gnuplot-nox
grep -q 'fleet\.py' "$SOURCE_DIR/README.md" && offers fleet.py python3

# A checkout may lie under any path: CMake quotes what it puts into a shell's commands only if it is told to.
check_exit 0 python3 - "$SOURCE_DIR" <<'PYTHON'
import pathlib, re, sys
root = pathlib.Path(sys.argv[1])
for path in [root / "CMakeLists.txt", *root.glob("cmake/*.cmake"), *root.glob("tests/**/CMakeLists.txt")]:
    for call in re.findall(r"add_custom_(?:command|target)\([^()]*(?:\([^()]*\)[^()]*)*\)", path.read_text()):
        if "COMMAND" in call and "VERBATIM" not in call:
            sys.exit(f"{path}: without VERBATIM: {call}")
PYTHON
