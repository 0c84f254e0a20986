#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# discover --kernel: how many workgroups of a user's own kernel run at once. Nothing of it runs: it would wait for ever.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

mkdir kernels
cat >kernels/spin.cl <<'CL'
#define launch nonsense(
struct state { int flag; float rest[9]; };
kernel void spin(volatile global int *flag, local float *scratch, struct state s, read_only image2d_t in,
                 sampler_t how)
{
    local float tile[64];
    tile[get_local_id(0) % 64] = scratch[0] + read_imagef(in, how, (int2)(0, 0)).x;
    while (flag[0] == s.flag)
        ;
    barrier(CLK_LOCAL_MEM_FENCE);
    flag[1] = (int)tile[0];
}

kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void square(global int *out)
{
    out[get_global_id(1)] = 1;
}
CL
cat >kernels/wide.cl <<'CL'
kernel void wide(global float *out)
{
    local float tile[10000];
    tile[get_local_id(0)] = out[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[1] = tile[9];
}
CL
printf 'kernel void broken(global int *out)\n{\n    out[0] = missing;\n}\n' >kernels/broken.cl
printf '{"kernels": {"spin": {"arguments": {"scratch": {"count": 100}}}}}\n' >setup.json
discover() { "$COOPBENCH" discover --cpu --cpu-workgroups 8 "$@"; }

# ---- Measured --------------------------------------------------------------------------------------------------------

measure=(--kernel kernels/spin.cl:spin --kernel kernels/spin.cl:square --wg-sizes 16,32 --build-options -DSIDE=4)
check_exit 0 discover "${measure[@]}" --run-id both --json -
check_schema run.schema.json out
check_json out \
  '{c["id"][16:]: c["status"] for c in d["cases"]} ==
   {"spin/claims": "ok", "spin/wg=16": "ok", "spin/wg=32": "ok", "square/claims": "ok", "square/wg=16": "ok",
    "square/wg=32": "unsupported"}' \
  'all(metric(f"*/{k}", "groups_bound")["median"] == 8 for k in ("spin/wg=16", "spin/wg=32", "square/wg=16"))' \
  'metric("*/spin/wg=32", "groups_per_unit")["median"] == 1 and metric("*/spin/wg=32", "wg_size")["median"] == 32' \
  '[metric(f"*/spin/wg={n}", "api_local_bytes")["median"] for n in (16, 32)] == [64 * 4 + 16 * 4, 64 * 4 + 32 * 4]' \
  'metric("*/spin/wg=16", "api_groups")["median"] == 8 * (d["devices"][0]["local_mem_bytes"] // 320)' \
  'metric("*/spin/claims", "api_wg_size")["median"] >= 32' \
  'not any(m["name"] == "api_groups" for m in case("*/square/wg=16")["metrics"])' \
  'case("*/square/wg=32")["reason"] == "the kernel requires workgroups of 4 x 4 x 1, 16 work-items"' \
  'case("*/spin/wg=16")["inputs"]["kernel"]["source"] != case("*/spin/wg=16")["inputs"]["kernel"]["hash"]' \
  '[f["text"].split(" can have at most ")[1].split(":")[0] for f in d["findings"] if f["id"] == "kernel"] ==
   ["8 workgroups here, whatever their size", "8 workgroups of 16 work-items here"]' \
  'any("argument scratch, local memory, was taken to have an element" in n for n in case("*/spin/wg=16")["notes"])'
check_stderr 'square/wg=32: unsupported: the kernel requires workgroups of 4 x 4 x 1'

# A setup says how much local memory there is; the suite's file names what the command line does. What is required needs
# no --wg-sizes.
cat >suite.json <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "suite": [
  {"bench": "discover", "kernel": ["kernels/spin.cl:spin"], "setup": "setup.json", "wg-sizes": ["16"], "build-options": "-D SIDE=4"},
  {"bench": "discover", "kernel": ["kernels/spin.cl:square"], "build-options": "-DSIDE=2"}]}
JSON
check_exit 0 "$COOPBENCH" run suite.json --cpu --cpu-workgroups 8 --run-id suite --json document.json
check_json document.json 'metric("*/spin/wg=16", "api_local_bytes")["median"] == 64 * 4 + 100 * 4' \
  'metric("*/square/wg=required", "wg_size")["median"] == 4' 'not case("*/spin/wg=16").get("notes")'

# A run goes on with the same kernel and setup only.
check_exit 0 "$COOPBENCH" run suite.json --cpu --cpu-workgroups 8 --resume results/suite
check_stderr '0 cases to be run, 4 kept'
sed -i 's/100/101/' setup.json
check_exit 2 "$COOPBENCH" run suite.json --cpu --cpu-workgroups 8 --resume results/suite
check_stderr 'the digest of the kernels was'

# ---- What does not run -----------------------------------------------------------------------------------------------

check_exit 1 discover --kernel kernels/broken.cl --json -
check_json out 'case("*/claims")["status"] == "error" and d["summary"]["skipped"] == len(d["cases"]) - 1' \
  '"kernels/broken.cl:3:14: use of undeclared identifier" in case("*/claims")["reason"]' \
  'case("*/claims")["reason"].endswith("\nIt had no --build-options.")' \
  'any("broken.cl:3:14: use of undeclared identifier" in f["text"] for f in d["findings"])'
SMALL_DEVICE=32768 LD_PRELOAD=${DRIVER_FAULTS:?} check_exit 0 discover --kernel kernels/wide.cl --wg-sizes 64 --json -
check_json out 'case("*/wg=64")["status"] == "unsupported"' \
  'case("*/wg=64")["reason"] == "a workgroup of 64 work-items needs 40000 bytes of local memory, the device has 32768"'

# refused MESSAGE OPTION...: before anything is measured.
refused() {
  check_exit 2 discover --dry-run "${@:2}"
  check_stderr "$1"
}
refused 'several kernels in it: give one as ./kernels/spin.cl:NAME; there is spin, square' --kernel kernels/spin.cl
refused 'no kernel "squre" in it \(did you mean "square"\?\); there is spin, square' --kernel kernels/spin.cl:squre
refused 'cannot read ./none.cl' --kernel none.cl
refused 'cannot read none.json' --kernel kernels/wide.cl --setup none.json
refused 'there is no "wide"' --kernel kernels/wide.cl --setup setup.json
refused 'is planned twice' --kernel kernels/wide.cl,kernels/wide.cl:wide
check_exit 0 discover --dry-run --kernel kernels/wide.cl --wg-sizes 7
check 'other cases are planned' test "$(wc -l <out)" = 2
