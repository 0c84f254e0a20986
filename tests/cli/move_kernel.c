/* SPDX-License-Identifier: Apache-2.0
 *
 * move_kernel FROM TO WHAT [WHEN]
 *
 * bfs, as the authors have it, begins on device FROM, and all of its workgroups are killed in the
 * midst of a run. WHAT is
 *
 *     goes-on      it goes on on device TO, and ends there
 *     ends         it has ended there: the device is free for another launch of it
 *     stale        it goes on on TO, with the state's last barrier, but nothing else of it
 *     forgets=I    it goes on on TO, where its buffer I is as it was at the beginning
 *
 * WHEN is how the kernel is when the host has it killed:
 *
 *     at-work      with all workgroups, after some barriers
 *     at-once      it has hardly begun
 *     limited      with one workgroup
 *     away         with none
 *     late         it begins with none
 *
 * 0: the result is right; 3: it is not, or a wait has no end; 1: something else failed; 77: there
 * is no such device.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/move.h"
#include "runtime/host/time.h"
#include "tests/cli/open_session.h"

#define INPUT   "grid:2x100000" /* a run of many barriers */
#define BEGIN_S 0.05            /* some of which it has passed by then */
#define LIFE_S  30
#define WG_SIZE 64

static struct cb_session sessions[2];
static struct cb_app_instance on[2];
static struct cb_coop *coop[2];
static size_t workers[2];

static enum cb_status open_on(int d, size_t room, struct cb_err *err)
{
    const struct cb_coop_config config = {.wg_size = WG_SIZE,
                                          .mode = COOP_COOPERATIVE,
                                          .resizing = COOP_ATOMIC,
                                          .semantics = COOP_WHOLE};
    const struct cb_app *app = cb_app_find("bfs")->paper;
    enum cb_status status = cb_app_open_input_for(&sessions[d], app, INPUT, room, &on[d], err);
    if (status == CB_OK)
        status = cb_app_find_workers(&on[d], &config, &workers[d], err);
    if (status == CB_OK)
        status = cb_app_open_mode(&on[d], &config, &coop[d], err);
    return status == CB_OK ? app->clear(on[d].state, err) : status;
}

/* As it does before the kernel begins. */
static enum cb_status forget(int buffer, struct cb_err *err)
{
    struct cb_kernel_value args[CB_APP_MAX_ARGS];
    size_t bytes = 0;
    on[1].app->args(on[1].state, args, CB_APP_MAX_ARGS);
    const cl_mem memory = *(const cl_mem *)args[buffer].value;
    return CB_CL(err, clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, NULL)) == CB_OK
               ? cb_buffer_clear(&sessions[1], memory, bytes, err)
               : err->status;
}

static enum cb_status check(int d, unsigned runs, struct cb_err *err)
{
    struct cb_sample sample = {0};
    enum cb_status status = cb_app_check(&on[d], coop[d], runs, &sample, err);
    if (status == CB_OK && sample.failure[0])
        status = cb_fail(err, CB_VERIFY_FAILED, "%s", sample.failure);
    cb_sample_free(&sample);
    return status;
}

static enum cb_status end(int d, struct cb_err *err)
{
    struct cb_coop_result r = {0};
    enum cb_status status = cb_coop_stop(coop[d], &r, err);
    free(r.run_ns);
    free(r.start_ns);
    return status == CB_OK ? check(d, r.runs, err) : status;
}

static enum cb_status go_on(const char *what, struct cb_coop_left *left, struct cb_err *err)
{
    const struct cb_coop_start how = {.lifetime_s = LIFE_S, .gather_s = 1, .from = left};
    const uint32_t point = *(const uint32_t *)left->state; /* coop_transmit.coop_point */
    static unsigned char through[CB_APP_COPY_BYTES];
    size_t bytes;
    if (cb_app_copy_buffers(&on[0], &on[1], through, &bytes, err) != CB_OK)
        return err->status;
    if (strcmp(what, "stale") == 0) {
        memset(left->state, 0, sizeof left->state);
        memcpy(left->state, &point, sizeof point);
    }
    if (strncmp(what, "forgets=", 8) == 0 && forget(atoi(what + 8), err) != CB_OK)
        return err->status;
    return cb_coop_start(coop[1], workers[1], &how, err) == CB_OK ? end(1, err) : err->status;
}

/* Until the kernel is to be killed. */
static enum cb_status wait_for(const char *when, struct cb_err *err)
{
    struct cb_coop_resize resize;
    const bool is_limited = strcmp(when, "limited") == 0;
    if (strcmp(when, "at-once") == 0 || strcmp(when, "late") == 0)
        return CB_OK;
    cb_sleep_until_ns((double)cb_now_ns() + BEGIN_S * 1e9);
    if (!is_limited && strcmp(when, "away") != 0)
        return CB_OK;
    return cb_coop_limit(coop[0], is_limited ? 1 : COOP_LIMIT_NONE, err) == CB_OK
               ? cb_coop_await_limit(coop[0], LIFE_S, &resize, err)
               : err->status;
}

static enum cb_status run(const char *what, const char *when, struct cb_err *err)
{
    struct cb_coop_left left;
    const struct cb_coop_start how = {.lifetime_s = LIFE_S, .gather_s = 1};
    struct cb_coop_start first = how;
    if (strcmp(when, "late") == 0)
        first.first_groups = COOP_LIMIT_NONE;
    if (cb_coop_start(coop[0], workers[0], &first, err) != CB_OK || wait_for(when, err) != CB_OK ||
        cb_coop_kill(coop[0], NULL, &left, err) != CB_OK)
        return err->status;
    if (!left.in_run || left.entry.passed == 0)
        return cb_fail(err, CB_ERROR, "the run had ended, or not begun");
    printf("killed after barrier %u\n", left.entry.passed);
    if (strcmp(what, "ends") != 0)
        return go_on(what, &left, err);
    if (on[0].app->clear(on[0].state, err) != CB_OK ||
        cb_coop_start(coop[0], workers[0], &how, err) != CB_OK)
        return err->status;
    return end(0, err);
}

int main(int argc, char **argv)
{
    struct cb_err err = {0};
    if (argc < 4)
        return 2;
    for (int d = 0; d < 2; d++)
        if (open_session(argv[1 + d], &sessions[d], &err) != CB_OK)
            return 77;
    const size_t room = cb_app_room(&sessions[0]);
    enum cb_status status = open_on(0, room, &err) == CB_OK ? open_on(1, room, &err) : err.status;
    if (status == CB_OK)
        status = run(argv[3], argc > 4 ? argv[4] : "at-work", &err);
    if (status != CB_OK)
        fprintf(stderr, "%s\n", err.text);
    return status == CB_OK ? 0 : status == CB_VERIFY_FAILED || status == CB_TIMEOUT ? 3 : 1;
}
