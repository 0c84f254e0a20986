#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The packages hold everything, and what they hold runs from an empty root; so does what
# 'cmake --install' makes.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
build=$(dirname "$COOPBENCH")
if ! command -v cpack >/dev/null || [[ ! -e $build/CPackConfig.cmake ]]; then
  echo "skipped: no cpack, or the program is not in its build folder"
  exit 77
fi

# installed PREFIX: whether everything is below, and runs from there, with nothing of the sources.
installed() {
  local prefix=$1 program=$1/bin/coopbench file
  for file in share/man/man1/coopbench.1 share/bash-completion/completions/coopbench \
    share/zsh/vendor-completions/_coopbench share/fish/vendor_completions.d/coopbench.fish \
    share/coopbench/configs/{smoke,paper-so11}.json \
    share/doc/coopbench/{copyright,README.md,run.schema.json}; do
    check "$file is not installed" test -s "$prefix/$file"
  done
  check_exit 0 "$program" --version
  check_stdout "^coopbench $(sed -n 's/^project(coopbench VERSION \([0-9.]*\).*/\1/p' "$SOURCE_DIR/CMakeLists.txt") "
  check_exit 0 "$program" list benchmarks
  check_stdout '^discover '
  check_exit 0 "$program" man
  check 'the manual page is not that of the program' cmp -s out "$prefix/share/man/man1/coopbench.1"
  if man --version >/dev/null 2>&1; then
    LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$prefix/share/man/man1/coopbench.1" >/dev/null 2>err
    check 'the manual page makes warnings' test ! -s err
  fi
  # shellcheck disable=SC2016 # the other bash expands it
  check 'completion does not work' test multitask = "$(PATH=$prefix/bin:$PATH bash -c '
    source "$1"; COMP_LINE="coopbench multit" COMP_POINT=16; _coopbench; echo "${COMPREPLY[*]}"' \
    - "$prefix/share/bash-completion/completions/coopbench")"
  check 'the program has not been stripped of the folders it was built in' \
    test -z "$(grep -aF "$SOURCE_DIR/" "$program" | head -c 100)"
}

check_exit 0 cmake --install "$build" --prefix "$folder/prefix" --strip
installed "$folder/prefix"

check_exit 0 cpack -G TGZ --config "$build/CPackConfig.cmake" -B "$folder/packages"
mkdir root
tar -C root --strip-components 1 -xf packages/coopbench-*.tar.gz
installed "$folder/root/usr"

if command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null; then
  check_exit 0 cpack -G DEB --config "$build/CPackConfig.cmake" -B "$folder/packages"
  dpkg-deb -x packages/coopbench_*.deb deb
  installed "$folder/deb/usr"
  dpkg-deb -f packages/coopbench_*.deb >out
  check_stdout '^Package: coopbench$'
  check_stdout '^Maintainer: .* <[^@ ]+@[a-z.]+\.[a-z]+>$' # of no machine
  check_stdout '^Depends: .*libcjson1.*ocl-icd-libopencl1'
  check_stdout '^Recommends: pocl-opencl-icd .*gnuplot-nox'
  if "$COOPBENCH" merge "$SOURCE_DIR/examples/ring.cl" >/dev/null 2>&1; then # built with libclang
    check_stdout '^Recommends: .*libclang-dev'
  fi
fi

# It measures with the configuration that was installed, if there is a device.
if "$COOPBENCH" discover --device cpu --dry-run >/dev/null 2>&1; then
  check_exit 0 "$folder/root/usr/bin/coopbench" run "$folder/root/usr/share/coopbench/configs/smoke.json" \
    --cpu --filter 'discover/lockfree/11*' --runs 1
  check_stdout '^Results: results/'
fi
