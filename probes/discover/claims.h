/* SPDX-License-Identifier: Apache-2.0
 *
 * What is claimed of how many workgroups run at once, beside what the search for the bound finds:
 * by OpenCL's queries about a kernel, with a guess for the device, and by CUDA's occupancy
 * calculator.
 */
#pragma once

#include "measure/bench.h"
#include "runtime/session.h"

/* The kernel that is asked about, with its arguments set. */
struct cb_claimed {
    const struct cb_session *session;
    cl_program program;
    cl_kernel kernel;
    const char *name;
    size_t wg_size;
    size_t argument_bytes; /* local memory of its arguments */
};

/* CL_KERNEL_WORK_GROUP_SIZE; 0: the driver does not tell. */
size_t cb_claimed_wg_size(const struct cb_session *session, cl_kernel kernel);

/* Adds what the API says of the kernel, whatever the size of its workgroups: api_wg_size,
 * api_wg_multiple, api_private_bytes. */
void cb_claims_add_kernel(const struct cb_claimed *c, struct cb_sample *sample);

/* Adds how many workgroups of that size are claimed: api_local_bytes, api_groups, api_groups_items,
 * api_sub_groups, cuda_groups; with a note where CUDA should claim something and does not. */
void cb_claims_add_groups(const struct cb_claimed *c, struct cb_sample *sample);

/* Prints a table of a device's microbenchmarks and sizes: what is claimed, and whether it holds. */
void cb_claims_report(FILE *out, const cJSON *run, const char *device_id);
