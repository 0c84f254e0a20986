/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs example/merged.cl of COOPBENCH_KERNEL_DIR, which 'coopbench merge' has made, in the modes
 * without a scheduler, and example/plain.cl, the kernel with all points defined away, as a plain
 * launch of as many work-items. 0: all write the same; 1: not; 77: no CPU device.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runtime/coop/coop.h"
#include "tests/cli/open_session.h"

#define GROUPS  3
#define WG_SIZE 8
#define N       (GROUPS * WG_SIZE)

static const struct {
    const char *name;
    unsigned mode;
} modes[] = {{"multikernel", COOP_MULTIKERNEL},
             {"specialised", COOP_SPECIALISED},
             {"portable", COOP_PORTABLE}};

static enum cb_status run_plain(struct cb_session *s, cl_mem out, struct cb_err *err)
{
    cl_program program = NULL;
    const size_t global = N, local = WG_SIZE;
    if (cb_program_build(s, "example/plain.cl", "", &program, err) != CB_OK)
        return err->status;
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    bool ran = kernel && clSetKernelArg(kernel, 0, sizeof(cl_mem), &out) == CL_SUCCESS &&
               clEnqueueNDRangeKernel(s->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) ==
                   CL_SUCCESS &&
               clFinish(s->queue) == CL_SUCCESS;
    if (kernel)
        clReleaseKernel(kernel);
    clReleaseProgram(program);
    return ran ? CB_OK : cb_fail(err, CB_ERROR, "the plain kernel does not run");
}

static enum cb_status run_merged(struct cb_session *s, unsigned mode, cl_mem out,
                                 struct cb_err *err)
{
    const struct cb_coop_config config = {
        .path = "example/merged.cl", .wg_size = WG_SIZE, .mode = mode, .resizing = COOP_ATOMIC};
    const struct cb_kernel_value args[] = {{sizeof(cl_mem), &out}};
    struct cb_coop_time time;
    struct cb_coop *coop = NULL;
    enum cb_status status = cb_coop_open(s, &config, &coop, err);
    if (status == CB_OK)
        status = cb_coop_args(coop, args, 1, err);
    if (status == CB_OK)
        status = cb_coop_run_alone(coop, GROUPS, &time, err);
    cb_coop_close(coop);
    return status;
}

static enum cb_status compare(struct cb_session *s, const char *name, cl_mem buffer,
                              const uint32_t expected[N], struct cb_err *err)
{
    uint32_t found[N];
    if (cb_buffer_read(s, buffer, found, sizeof found, err) != CB_OK)
        return err->status;
    for (unsigned i = 0; i < N; i++)
        if (found[i] != expected[i])
            return cb_fail(err, CB_VERIFY_FAILED, "%s: work-item %u: %u instead of %u", name, i,
                           found[i], expected[i]);
    return CB_OK;
}

static enum cb_status run_all(struct cb_session *s, struct cb_err *err)
{
    uint32_t expected[N];
    cl_mem out = cb_buffer_create(s, sizeof expected, err);
    if (!out)
        return err->status;
    enum cb_status status = cb_buffer_clear(s, out, sizeof expected, err);
    if (status == CB_OK)
        status = run_plain(s, out, err);
    if (status == CB_OK)
        status = cb_buffer_read(s, out, expected, sizeof expected, err);
    for (size_t m = 0; m < CB_COUNTOF(modes) && status == CB_OK; m++) {
        status = cb_buffer_clear(s, out, sizeof expected, err);
        if (status == CB_OK)
            status = run_merged(s, modes[m].mode, out, err);
        if (status == CB_OK)
            status = compare(s, modes[m].name, out, expected, err);
    }
    clReleaseMemObject(out);
    return status;
}

int main(void)
{
    struct cb_session session;
    struct cb_err err = {0};
    enum cb_status status = open_session("cpu", &session, &err);
    if (status == CB_OK) {
        status = run_all(&session, &err);
        cb_session_close(&session);
    }
    if (status != CB_OK)
        fprintf(stderr, "%s\n", err.text);
    return status == CB_OK ? 0 : status == CB_NO_DEVICE ? 77 : 1;
}
