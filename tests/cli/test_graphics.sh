#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Graphics on the CPU device and a software rasteriser, with few pixels: the search, frames that
# move, pictures, saved frames and workloads. What is wrong is found: test_graphics_planted.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/graphics.sh"
need_cpu

png=(--png) # what was built without libpng saves no frames
"$COOPBENCH" graphics --cpu --png --dry-run >out 2>err || png=()

# ---- A search ------------------------------------------------------------------------------------

measure 0 --scene light --t-max 1.6 --resolution 1 "${png[@]}" --run-id search >failures
grep -q 'cannot render\|no OpenGL ES context' err && echo "skipped: $(tail -n 1 err)" && exit 77
cat failures
check_schema run.schema.json document.json
check_json document.json 'len(d["cases"]) == 1 == d["summary"]["ok"]' \
  'd["cases"][0]["id"] == "graphics/light/size=64x48,fps=60"' \
  'd["cases"][0]["verification"] == {"status": "pass", "detail": None}' \
  'metric("*", "tried_t")["n"] == 3 or metric("*", "tried_seen")["max"] == 1' \
  'metric("*", "tried_t")["min"] == 100000 and metric("*", "tried_t")["max"] <= 1600000' \
  'all(metric("*", name)["n"] == metric("*", "tried_t")["n"]
       for name in ["tried_seen", "tried_p_value", "tried_median", "tried_p99", "tried_limit"])' \
  '0 < metric("*", "frame_time_alone")["median"] and metric("*", "frame_time_with")["n"] > 5' \
  'metric("*", "pixels_changed")["min"] > 0' \
  '"rendered by" in d["cases"][0]["notes"][0]'
# what was found, or that there is nothing to find: a busy machine may see the shortest kernels
check_json document.json \
  'any("even the shortest kernels" in n for n in d["cases"][0]["notes"]) or (
     metric("*", "t")["primary"] and 100000 <= metric("*", "t")["median"] <= 1600000
     and metric("*", "period")["median"] >= metric("*", "t")["median"]
     and abs(metric("*", "gap")["median"] + metric("*", "stopped")["median"]
             - metric("*", "duration")["median"]) < 1)'
check_exit 0 "$COOPBENCH" plot results/search -o pictures
for figure in graphics_search graphics_ecdf; do
  check "$figure is no picture" grep -q '</svg>' "pictures/$figure.svg"
done

# ---- Frames and workloads ------------------------------------------------------------------------

measure 0 --scene medium,heavy --t 1 --window 0.03 "${png[@]}" --run-id given
check_schema run.schema.json document.json
check_stdout '^\| medium \| 1\.00 ms \| [0-9.]+ ms( \[[0-9.]+ ms, [0-9.]+ ms\])? \|'
check_stdout '^- heavy: t was given; kernels of it are (not )?seen'
check_stdout '^Results: results/given \(run\.json, .*, medium\.json, heavy\.json\)$'
check_json document.json 'd["summary"]["ok"] == 2' \
  'all(metric(c["id"], "pixels_changed")["min"] > 0.01 for c in d["cases"])' \
  'all(metric(c["id"], "t")["median"] == 1e6 < metric(c["id"], "period")["median"]
       for c in d["cases"])' \
  'not any(m["name"].startswith("tried") for c in d["cases"] for m in c["metrics"])'
check_json results/given/heavy.json 'd["schema"] == "coopbench-workload"' \
  'd["name"] == "sized-heavy" and d["period_ms"] > 1 and 0 < d["duration_ms"] < d["period_ms"]'
check_exit 0 "$COOPBENCH" multitask --cpu --app bfs --workload results/latest/heavy.json --dry-run
check_stdout 'multitask/bfs/sized-heavy/'

# pixels FILE: the size of a PNG and how many colours it has.
pixels() {
  python3 - "$1" <<'PYTHON'
import struct, sys, zlib

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
assert (depth, kind) == (8, 6)
body, at = b"", 8
while at < len(data):
    length, name = struct.unpack(">I4s", data[at:at + 8])
    body += data[at + 8:at + 8 + length] if name == b"IDAT" else b""
    at += 12 + length
raw, lines, last = zlib.decompress(body), [], bytes(4 * width)
for y in range(height):
    kind, line = raw[y * (4 * width + 1)], bytearray(raw[y * (4 * width + 1) + 1:(y + 1) * (4 * width + 1)])
    for x in range(4 * width):
        a, b, c = line[x - 4] if x > 3 else 0, last[x], last[x - 4] if x > 3 else 0
        p = a + b - c
        near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        line[x] = (line[x] + [0, a, b, (a + b) // 2, near][kind]) % 256
    lines, last = lines + [bytes(line)], line
print(width, height, len({line[4 * x:4 * x + 4] for line in lines for x in range(width)}))
PYTHON
}
for file in search/light given/medium given/heavy; do
  ((${#png[@]})) || break
  read -r width height colours < <(pixels "results/$file.png")
  check "$file.png is ${width}x$height" test "$width $height" = '64 48'
  check "$file.png has $colours colours" test "$colours" -gt 100
done

# ---- A workload without an observer --------------------------------------------------------------

check_exit 0 "$COOPBENCH" graphics --cpu --observer none --scene light,heavy --period 70,40 \
  --duration 3,10 --run-id none --json document.json
check_schema run.schema.json document.json
check_json results/none/light.json 'd["period_ms"] == 70 and d["duration_ms"] == 3'
check_json results/none/heavy.json 'd["period_ms"] == 40 and d["duration_ms"] == 10'
