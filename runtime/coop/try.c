/* SPDX-License-Identifier: Apache-2.0
 *
 * A first launch for the driver's sake: PoCL makes the kernel for a size of workgroup only then.
 */
#include <stdlib.h>

#include "runtime/coop/internal.h"

/* Runs the app with one workgroup: its input had better be small. */
static enum cb_status try_specialised(struct cb_coop *c, struct cb_err *err)
{
    if (cb_coop_prepare(c, 1, err) != CB_OK)
        return err->status;
    cb_coop_clear_control(c, 1);
    if (cb_coop_write_control(c, err) != CB_OK)
        return err->status;
    return cb_launch_run(c->session, c->kernel, 1, c->config.wg_size, NULL, NULL, err);
}

static enum cb_status try_repeats(struct cb_coop *c, struct cb_err *err)
{
    struct cb_coop_result result = {0};
    enum cb_status status = cb_coop_repeat(c, 1, 0, 0, err);
    if (status == CB_OK)
        status = cb_coop_repeat_end(c, &result, err);
    free(result.run_ns);
    free(result.start_ns);
    return status;
}

enum cb_status cb_coop_try(struct cb_coop *c, struct cb_err *err)
{
    size_t participants;
    if (c->config.repeats)
        return try_repeats(c, err);
    if (c->config.mode == COOP_COOPERATIVE || c->config.mode == COOP_PORTABLE)
        return cb_coop_launch_discovery(c, 1, &participants, err);
    return try_specialised(c, err); /* runs the first step of a multikernel */
}
