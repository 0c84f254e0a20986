#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Graphics where it cannot work: no driver, no clock, a scene that is too heavy, kernels that do not end or
# that the device refuses. Each is a row with its reason.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

few=(graphics --cpu --size 64x48 --pairs 8 --window 0.03 --confirm-time 0.02 --order listed --t 0.5)

# ---- Too many pixels for the rate ----------------------------------------------------------------

check_exit 77 "$COOPBENCH" "${few[@]}" --scene heavy --fps 1000 --size 640x480 --json document.json
grep -q 'cannot render\|no OpenGL ES context' err && echo "skipped: $(tail -n 1 err)" && exit 77
check_json document.json \
  're.search(r"does not reach 1e\+03 frames a second even when nothing disturbs it", d["cases"][0]["reason"])'

# ---- Nothing to render with ----------------------------------------------------------------------

mkdir no_vendors
check_exit 77 env __EGL_VENDOR_LIBRARY_DIRS="$PWD/no_vendors" "$COOPBENCH" "${few[@]}" --scene light \
  --json document.json
check_stderr 'unsupported: the renderer: no OpenGL ES context without a screen \(device: .*libegl-mesa0'
check_schema run.schema.json document.json
check_json document.json 'd["exit_code"] == 77 and d["summary"]["unsupported"] == 1'

# A clock is what the kernels' time is measured by.
check_exit 77 "$COOPBENCH" "${few[@]}" --scene light --clock none --json document.json
check_json document.json 're.search("the device has no clock", d["cases"][0]["reason"])'

# ---- A kernel that does not end ------------------------------------------------------------------

copy_sources sources
plant sources/probes/graphics/graphics.cl 's|cb_elapsed(last, start) < ticks \&\& turn < MAX_TURNS|last|'
COOPBENCH_KERNEL_DIR=$PWD/sources check_exit 4 "$COOPBENCH" "${few[@]}" --scene light \
  --run-deadline 2 --json document.json
check_json document.json \
  '"gave no answer within 2 s while running" in d["cases"][0]["reason"]'

# ---- A kernel that the device ends ---------------------------------------------------------------

# What a driver with a watchdog does cannot be had here; a kernel that gives up comes near.
copy_sources sources
plant sources/probes/graphics/graphics.cl 's|return o->start;|cb_abort(launch, CB_SITE_CALIBRATION, 0, 0, 1); return 0;|'
COOPBENCH_KERNEL_DIR=$PWD/sources check_exit 4 "$COOPBENCH" "${few[@]}" --scene light --json document.json
check_schema run.schema.json document.json
check_json document.json \
  're.match(r"a kernel of 0.5 ms \(some drivers end kernels that take long: --t-max\): ", d["cases"][0]["reason"])'
