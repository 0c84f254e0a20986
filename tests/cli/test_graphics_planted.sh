#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# graphics: a picture that stands still or is blank, and kernels that end too soon or too late, are found.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/graphics.sh"
need_cpu

"$COOPBENCH" graphics --cpu "${few[@]}" --scene light --t 1 >out 2>err || true
grep -q 'cannot render\|no OpenGL ES context' err && echo "skipped: $(tail -n 1 err)" && exit 77

export COOPBENCH_KERNEL_DIR=$PWD/sources
shorter=(--scene heavy --t 1 --window 0.03 --confirm-time 0.02)
caught() {
  measure "$1" "${shorter[@]}" "${@:4}"
  check_json document.json "d['cases'][0]['status'] == '$2'" \
    "re.search(r'$3', d['cases'][0]['reason'])"
}

# A picture that stands still, one that is blank, a shader that does not compile.
copy_sources sources
plant sources/probes/graphics/heavy.frag 's|uniform float seconds;|const float seconds = 1.0;|'
caught 3 verify_failed 'the renderer: the picture does not move'
copy_sources sources
plant sources/probes/graphics/heavy.frag 's|gl_FragColor = .*|gl_FragColor = vec4(fract(seconds));|'
caught 3 verify_failed 'the renderer: the frames are blank'
copy_sources sources
plant sources/probes/graphics/heavy.frag 's|gl_FragColor = |gl_FragColour = |'
caught 1 error 'the renderer: probes/graphics/heavy.frag does not compile'

# A kernel that ends too soon.
copy_sources sources
plant sources/probes/graphics/graphics.cl 's|< ticks \&\& turn|< ticks / 4 \&\& turn|'
caught 3 verify_failed 'a kernel of 1 ms ended after 0\.'

# A slow kernel: a hundred times as long as it says, with many more threads than cores.
copy_sources sources
plant sources/probes/graphics/graphics.cl 's|< ticks \&\& turn|< 100 * ticks \&\& turn|'
seen=0
for ((i = 0; i < 3 && !seen; i++)); do # a busy machine may hide it once, or be too slow for the frames alone
  "$COOPBENCH" graphics --cpu "${few[@]}" --scene heavy --t 1 --cpu-workgroups 64 --size 128x96 --pairs 8 \
    --window 0.1 --level 0.05 >out 2>err || true
  if grep -q '^- heavy: t was given; kernels of it are seen' out; then seen=1; fi
done
check "the slow kernel was not seen" test "$seen" = 1
