/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of workloads for multitask.
 */
#include "apps/host/workload.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cb_workload workload;
    struct cb_err err;
    if (cb_workload_find(fuzz_file("workload.json", data, size), &workload, &err) == CB_OK)
        cb_workload_expected_s(&workload, fuzz_device(), "N");
    return 0;
}
