/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "runtime/beside/works.h"
#include "runtime/host/time.h"

#define CPU_SIDE 256 /* of the matrices: work-items a row */
#define GPU_SIDE 2048
#define CPU_WG   64
#define GPU_WG   256

struct product {
    struct cb_session session;
    cl_program program;
    cl_kernel kernel;
    cl_mem matrices[3];
    cl_uint side;
    size_t rows, wg_size; /* of a launch */
    double piece_ns;
};

static void close_product(void *self)
{
    struct product *p = self;
    for (size_t i = 0; i < CB_COUNTOF(p->matrices); i++)
        if (p->matrices[i])
            clReleaseMemObject(p->matrices[i]);
    if (p->kernel)
        clReleaseKernel(p->kernel);
    if (p->program)
        clReleaseProgram(p->program);
    cb_session_close(&p->session);
    free(p);
}

/* Launches have as many rows as make them about as long as they are to be. */
static enum cb_status multiply(void *self, struct cb_err *err)
{
    struct product *p = self;
    const uint64_t begin_ns = cb_now_ns();
    if (cb_launch_run(&p->session, p->kernel, p->rows * p->side / p->wg_size, p->wg_size, NULL,
                      NULL, err) != CB_OK)
        return err->status;
    const double took_ns = (double)(cb_now_ns() - begin_ns);
    if (took_ns < p->piece_ns / 2 && p->rows < p->side)
        p->rows *= 2;
    else if (took_ns > p->piece_ns * 2 && p->rows > 1)
        p->rows /= 2;
    return CB_OK;
}

static enum cb_status open_product(struct product *p, struct cb_session *first, struct cb_err *err)
{
    const bool cpu = cb_device_is_cpu(&first->info);
    p->side = cpu ? CPU_SIDE : GPU_SIDE;
    p->wg_size = cpu ? CPU_WG : GPU_WG;
    p->rows = 1;
    if (p->wg_size > first->info.max_wg_size)
        p->wg_size = 1;
    if (cb_session_open_second(&p->session, first, err) != CB_OK ||
        cb_program_build(&p->session, "kernels/beside.cl", NULL, &p->program, err) != CB_OK ||
        cb_kernel_create(p->program, "beside_product", &p->kernel, err) != CB_OK)
        return err->status;
    struct cb_kernel_value values[4] = {[3] = {sizeof p->side, &p->side}};
    for (size_t i = 0; i < CB_COUNTOF(p->matrices); i++) {
        p->matrices[i] =
            cb_buffer_create(&p->session, sizeof(float) * p->side * (size_t)p->side, err);
        if (!p->matrices[i])
            return err->status;
        values[i] = (struct cb_kernel_value){sizeof(cl_mem), &p->matrices[i]};
    }
    return cb_kernel_args(p->kernel, values, CB_COUNTOF(values), err);
}

enum cb_status cb_beside_product(struct cb_session *session, double piece_s,
                                 struct cb_beside_work *work, struct cb_err *err)
{
    struct product *p = calloc(1, sizeof *p);
    if (!p)
        return cb_no_memory(err);
    p->piece_ns = piece_s * 1e9;
    *work = (struct cb_beside_work){.self = p, .once = multiply, .close = close_product};
    if (open_product(p, session, err) != CB_OK)
        close_product(p);
    return err->status;
}
