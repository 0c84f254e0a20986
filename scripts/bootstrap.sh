#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what building and running all that README.md offers needs and this machine lacks; with --tests, what its
# tests need as well. Does nothing, also without network, once everything is there.
set -euo pipefail

packages=(build-essential cmake ninja-build pkg-config ocl-icd-opencl-dev opencl-headers
  pocl-opencl-icd libcjson-dev zlib1g-dev libsqlite3-dev gnuplot-nox libegl-dev libgles-dev libpng-dev
  libegl-mesa0 libgl1-mesa-dri libclang-dev python3)
test_packages=(clang-format libcmocka-dev python3-jsonschema python3-scipy libbenchmark-tools procps
  spin tcc python3-prometheus-client)
# These start servers, so only machines of CI get them: the tests want Prometheus' promtool, and a Slurm of their own.
[[ ${CI-} == true ]] && test_packages+=(prometheus slurmctld slurmd slurm-client munge)
# Not each Ubuntu has these, or only a snap; without a browser, the report is not tried in one.
grep -qs '^ID=debian$' /etc/os-release && test_packages+=(chromium jube)

case "${1-}" in
--tests) packages+=("${test_packages[@]}") ;;
'') ;;
*)
  echo "usage: scripts/bootstrap.sh [--tests]" >&2
  exit 2
  ;;
esac

if ! { command -v apt-get && command -v dpkg-query; } >/dev/null; then
  cat >&2 <<TEXT
This is no Debian or Ubuntu: nothing was installed. What coopbench needs, by any package manager:
  to build:  a C11 compiler, CMake 3.16 or later, Ninja, pkg-config, OpenCL headers, an OpenCL
             loader (ocl-icd or Khronos), cJSON; if they are there, zlib for compressed graphs and
             runs, SQLite for the index of 'history', EGL with OpenGL ES for 'graphics', libpng for its
             --png and for images of tasks, libclang for 'merge', 'init' and --kernel
  to run:    an OpenCL driver: PoCL makes the CPU a device, a GPU needs its vendor's; for
             'graphics' a driver for EGL, Mesa's or the GPU vendor's
  to plot:   gnuplot
  on Slurm:  Python 3 for scripts/fleet
  to test:   cmocka, Python 3 with jsonschema, procps, clang-format 14; for an export to it, Google Benchmark's
             compare.py, which needs scipy, and promtool with Prometheus' Python client; for the report, Chromium;
             for the models, SPIN; for scripts/fleet, Slurm with munge, and JUBE
Debian's names: ${packages[*]}
Then: cmake -G Ninja -B build && ninja -C build
TEXT
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=absent
  [[ $state == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Missing: ${missing[*]}. Install them as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -q --no-install-recommends "${missing[@]}"
