#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tasks with images and samplers: from their first setups, unchanged, to right rows; wrong ones are found, and what a device
# has not is told.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

write_ring
setup ring '"v": {"count": 8192}, "n": 4096'

run_task() { # NAME SETUP
  "$COOPBENCH" multitask --cpu --app ./ring.json --task "$2" --runs 1 --warmup 0 --tasks 4 --budget 0.2 --cpu-workgroups 4 \
    --groups 1 -x '*overhead*' --no-profile -q -o results --run-id "$1"
}
edit() { # FROM TO STATEMENTS: of Python, s is the setup, a its arguments
  python3 -c '
import json, sys
s = json.load(open(sys.argv[1]))
a = s["arguments"]
exec(sys.argv[3])
json.dump(s, open(sys.argv[2], "w"))' "$@"
}

# ---- First setups ----
# A filter with a sampler, of two dimensions; a written image; a helper that has another name for one.
cat >scale.cl <<'CL'
constant sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
float4 nearest(read_only image2d_t picture, int2 p) { return read_imagef(picture, exact, p); }
kernel void scale(read_only image2d_t in, write_only image2d_t out, const sampler_t at, float factor)
{
    const int2 p = (int2)(get_global_id(0), get_global_id(1));
    const float4 there = read_imagef(in, at, (convert_float2(p) + 0.5f) / factor);
    write_imagef(out, p, (there + nearest(in, p)) / 2);
}
CL
# Three dimensions, whose work-items have a barrier.
cat >solid.cl <<'CL'
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
kernel void solid(write_only image3d_t out, read_only image3d_t in, local float4 *t)
{
    const sampler_t at = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    const int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    t[get_local_linear_id()] = read_imagef(in, at, p + (int4)(1, 0, 0, 0));
    barrier(CLK_LOCAL_MEM_FENCE);
    write_imagef(out, p, (t[get_local_linear_id()] + t[(get_local_linear_id() + 1) % 64]) / 2);
}
CL
# Arrays, of one dimension and of two, whole numbers among them.
cat >layers.cl <<'CL'
kernel void layers(read_only image2d_array_t in, write_only image2d_array_t out, read_only image1d_t row,
                   write_only image1d_array_t rows, global uint *sums)
{
    const sampler_t at = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    const int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    write_imagei(out, p, read_imagei(in, at, p) / 2 - 1);
    if (p.z == 0)
        write_imagef(rows, p.xy, read_imagef(row, at, p.x) / (p.y + 1));
    if (p.z == 0 && p.y == 0)
        sums[p.x] += get_image_width(in) + get_image_array_size(out);
}
CL
for kernel in scale solid layers; do
  check_exit 0 "$COOPBENCH" init "$kernel.cl" -o "$kernel.json"
  check_stderr "^$kernel: tried on the CPU: a run takes [0-9.e+-]+ ms, and stays within its buffers\\."
  check_schema setup.schema.json "$kernel.json"
  check_exit 0 run_task "$kernel" "$kernel.json"
  all_are ok "results/$kernel"
done
edit layers.json any.json 'assert a["in"]["type"] == a["out"]["type"] == "int8" and a["row"]["type"] == "unorm8", a'
edit scale.json linear.json 'a["at"] = {"filter": "linear", "addressing": "mirrored_repeat", "normalized": True}; a["factor"] = 33
a["in"].update(type="float"); a["out"].update(type="half")'
check_schema setup.schema.json linear.json
check_exit 0 run_task linear linear.json
all_are ok results/linear


# All in one program, each with names of its own for its images.
check_exit 0 "$COOPBENCH" merge scale.cl solid.cl layers.cl ring.cl -o program.cl
check "images have no names of their own" grep -q '^#define layers_image_names , in_of_layers, out_of_layers, row_of_layers, rows_of_layers$' program.cl

# ---- Files ----
# A picture, and files of results: the right one, and one with a wrong pixel.
cat >invert.cl <<'CL'
kernel void invert(read_only image2d_t in, write_only image2d_t out)
{
    const int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(out, p, 255 - read_imageui(in, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST, p));
}
CL
python3 - <<'PYTHON'
import json, struct, zlib
def save(name, numbers):
    head = "{'descr': '|u1', 'fortran_order': False, 'shape': (8, 16, 4), }\n".encode()
    open(name, "wb").write(b"\x93NUMPY\x01\0" + len(head).to_bytes(2, "little") + head + bytes(numbers))
numbers = [i % 251 for i in range(8 * 16 * 4)]
save("in.npy", numbers)
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
rows = b"".join(b"\0" + bytes(numbers[64 * y : 64 * (y + 1)]) for y in range(8))
open("in.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 8, 8, 6, 0, 0, 0)) +
                           chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
right = [255 - n for n in numbers]
save("right.npy", right)
right[4 * (16 * 5 + 3) + 2] ^= 1
save("wrong.npy", right)
for name in ["right", "wrong"]:
    json.dump({"kernel": "invert.cl", "global": [16, 8], "local": [8, 8], "period_ms": 10, "arguments": {
        "in": {"file": "in.npy", "type": "uint8"},
        "out": {"width": 16, "height": 8, "type": "uint8", "expect": name + ".npy"}}}, open(name + ".json", "w"))
PYTHON
check_exit 0 run_task right right.json
all_are ok results/right
edit right.json picture.json 'a["in"]["file"] = "in.png"'
if run_task picture picture.json 2>err; then
  all_are ok results/picture
else
  check_stderr 'this build reads no PNG files, without libpng \(Debian: libpng-dev\): give a .npy'
fi
check_exit 3 run_task wrong wrong.json
all_are verify_failed results/wrong
check "the pixel is not told" grep -qE 'out, element 83 \(x 3, y 5\), z: [0-9]+ instead of [0-9]+, as its file has it' results/wrong/run.json

# The identity of a run has the file.
hash_of() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + "/run.json"))["cases"][0]["inputs"]["task"]["hash"])' "$1"; }
[[ $(hash_of results/right) != "$(hash_of results/wrong)" ]] || fail "another file of results is the same input"

# ---- What there is not ----
edit scale.json large.json 'a["in"].update(width=1000000)'
check_exit 77 run_task large large.json
all_are unsupported results/large
check "the limit is not told" grep -q 'large: in: its width is 1000000, and on .* at most [0-9]*: give a smaller image' results/large/run.json
NO_IMAGES=1 LD_PRELOAD=$DRIVER_FAULTS check_exit 77 run_task none scale.json
all_are unsupported results/none
check "nothing says what is missing" grep -q 'scale: in: .* has no images and no samplers (CL_DEVICE_IMAGE_SUPPORT)' results/none/run.json
edit scale.json kind.json 'a["out"].update(channels="rg", depth=2)'
check_exit 2 run_task kind kind.json
check_stderr 'out: depth: an image2d_t has none$'
echo nothing >broken.png
edit scale.json broken.json 'a["in"] = {"file": "broken.png"}'
check_exit 2 run_task broken broken.json
check_stderr 'broken.png: '

# Nobody gives images to a cooperative kernel, nor this to a task.
echo 'kernel void whole(read_only image2d_t in) { resizing_global_barrier(); }' >whole.cl
check_exit 2 "$COOPBENCH" init whole.cl -o whole.json
check_stderr 'whole.cl:1:19: the parameter in: a cooperative kernel has no images and no samplers: give a buffer'
printf '%s\n' 'kernel void scale(read_only image2d_t in, write_only image2d_t out, const sampler_t at, float factor);' \
  'kernel void parent(global float *v)' '{' '    resizing_global_barrier();' '    submit_task(scale, task_range_1d(1, 1), v, v, 0, 1);' '}' >parent.cl
check_exit 2 "$COOPBENCH" merge parent.cl scale.cl
check_stderr "parent.cl:5:5: passing '.*' to parameter of incompatible type '.*image2d_t'"
