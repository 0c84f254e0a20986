/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's task on a device: its arena, its check.
 */
#include "apps/host/user_task_run.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/coop_abi.h"
#include "runtime/coop/packet.h"

#define ALIGNMENT      128
#define A_PLAIN_LAUNCH "a plain launch" /* what has the right results */

/* ---- The arena ------------------------------------------------------------------------------- */

static enum cb_status write_packet(struct cb_user_task_run *r, size_t wg_size, struct cb_err *err)
{
    const struct cb_setup *s = &r->task->setup;
    struct cb_packet packet;
    enum cb_status status = cb_packet_begin(&packet, 0, s->range.dimensions, s->range.offset,
                                            s->range.global, s->range.local, wg_size, err);
    if (status != CB_OK) {
        struct cb_err reason = *err;
        return cb_fail(err, CB_UNSUPPORTED, "%s: %s: --wg-size, or a smaller \"local\"", s->id,
                       reason.text);
    }
    for (unsigned i = 0; i < s->n_arguments && status == CB_OK; i++) {
        const struct cb_setup_argument *a = &s->arguments[i];
        if (cb_layout_is_opaque(&a->layout)) /* an argument of the megakernel */
            continue;
        if (a->is_local)
            status = cb_packet_local(&packet, a->bytes, err);
        else if (a->is_pointer)
            status = cb_packet_buffer(&packet, r->at[i], err);
        else
            status = cb_packet_value(&packet, a->begin, a->bytes, a->layout.alignment, err);
    }
    memcpy(r->begin, packet.u.bytes, packet.size);
    return status;
}

/* Where arguments of a kind lie in the copies of the arena, after what there is. */
static void place(struct cb_user_task_run *r, bool (*is_kind)(const struct cb_setup_argument *a))
{
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = cb_user_task_argument(r, i);
        if (!is_kind(a))
            continue;
        r->at[i] = (r->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        r->size = r->at[i] + cb_setup_guarded(a);
    }
}

static enum cb_status make_copies(struct cb_user_task_run *r, struct cb_err *err)
{
    r->size = sizeof(struct cb_packet);
    place(r, cb_setup_is_buffer);
    const size_t arena_size = r->size;
    place(r, cb_setup_is_image);
    /* before the host's memory is taken: the device has a limit */
    if (cb_arena_open(&r->arena, r->session, arena_size, err) != CB_OK)
        return cb_context(err, "%s", r->task->setup.id);
    r->begin = calloc(1, r->size);
    r->expected = malloc(r->size);
    r->found = malloc(r->size);
    r->once = malloc(r->size);
    if (!r->begin || !r->expected || !r->found || !r->once)
        return cb_fail(err, CB_ERROR, "%s: out of memory for four times %zu bytes",
                       r->task->setup.id, r->size);
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        if (!cb_setup_has_contents(cb_user_task_argument(r, i)))
            continue;
        cb_setup_fill(cb_user_task_argument(r, i), r->begin + r->at[i]);
        cb_setup_guard(cb_user_task_argument(r, i), r->begin + r->at[i]);
    }
    memcpy(r->expected, r->begin, r->size);
    return CB_OK;
}

/* Images and samplers that the megakernel has, beside those of plain launches. */
static enum cb_status make_merged(struct cb_user_task_run *r, struct cb_err *err)
{
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++) {
        if (!cb_layout_is_opaque(&cb_user_task_argument(r, i)->layout))
            continue;
        if (cb_user_image_create(r->session, &r->task->setup, i, &r->merged[i], err) != CB_OK)
            return err->status;
        r->values[r->n_values++] = cb_user_image_value(&r->merged[i]);
    }
    return CB_OK;
}

enum cb_status cb_user_task_clear(struct cb_user_task_run *r, struct cb_err *err)
{
    if (r->task->setup.is_fresh && cb_user_task_expect(r, 1, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_arena_write(&r->arena, 0, r->begin, r->arena.size, err);
    for (unsigned i = 0; i < r->task->setup.n_arguments && status == CB_OK; i++)
        status = cb_user_image_write(r->session, &r->merged[i], cb_user_task_argument(r, i),
                                     r->begin + r->at[i], err);
    return status;
}

enum cb_status cb_user_task_clear_launches(struct cb_user_task_run *r, struct cb_err *err)
{
    if (r->task->setup.is_fresh && cb_user_task_expect(r, 1, err) != CB_OK)
        return err->status;
    return cb_user_task_copy(r, r->begin, false, err);
}

/* What the megakernel has left. */
static enum cb_status read_all(struct cb_user_task_run *r, unsigned char *found, struct cb_err *err)
{
    enum cb_status status = cb_arena_read(&r->arena, 0, found, r->arena.size, err);
    for (unsigned i = 0; i < r->task->setup.n_arguments && status == CB_OK; i++)
        status = cb_user_image_read(r->session, &r->merged[i], cb_user_task_argument(r, i),
                                    found + r->at[i], err);
    return status;
}

/* ---- Open and close -------------------------------------------------------------------------- */

/* wg_size: of the megakernel; 0: there is none. */
static enum cb_status open_run(struct cb_user_task_run *r, size_t wg_size, struct cb_err *err)
{
    if (make_copies(r, err) != CB_OK ||
        (wg_size > 0 && (write_packet(r, wg_size, err) != CB_OK || make_merged(r, err) != CB_OK)) ||
        cb_user_task_build_plain(r, err) != CB_OK ||
        (!r->session->rehearsal && cb_user_task_time_launches(r, err) != CB_OK))
        return err->status;
    return wg_size > 0 ? cb_user_task_open_merged(r, err) : CB_OK;
}

static struct cb_user_task_run *new_run(struct cb_session *session, const struct cb_user_task *task,
                                        struct cb_err *err)
{
    struct cb_user_task_run *r = calloc(1, sizeof *r);
    if (!r) {
        cb_no_memory(err);
        return NULL;
    }
    for (unsigned i = 0; i < CB_SETUP_ARGUMENTS; i++)
        r->buffers[i].guarded = -1;
    r->session = session;
    r->task = task;
    cb_identity_note(session, task->path, cb_setup_identity(&task->setup));
    return r;
}

enum cb_status cb_user_task_open(struct cb_session *session, const struct cb_user_task *task,
                                 const struct cb_app *app, size_t wg_size,
                                 struct cb_user_task_run **run, struct cb_err *err)
{
    struct cb_user_task_run *r = *run = new_run(session, task, err);
    if (!r || (app && cb_user_task_program(task, app, r->program, err) != CB_OK))
        return err->status;
    return open_run(r, app ? wg_size : 0, err);
}

enum cb_status cb_user_task_open_common(struct cb_session *session, const struct cb_user_task *task,
                                        size_t wg_size, struct cb_user_task_run **run,
                                        struct cb_err *err)
{
    struct cb_user_task_run *r = *run = new_run(session, task, err);
    if (!r || cb_user_task_common(task, r->program, err) != CB_OK)
        return err->status;
    return open_run(r, wg_size, err);
}

void cb_user_task_close(struct cb_user_task_run *r)
{
    if (!r)
        return;
    for (unsigned i = 0; i < CB_SETUP_ARGUMENTS; i++) {
        cb_user_buffer_release(&r->buffers[i]);
        cb_user_image_release(&r->images[i]);
        cb_user_image_release(&r->merged[i]);
    }
    cb_arena_close(&r->arena);
    cb_user_task_release_built(r->merged_program, r->merged_kernel);
    if (r->kernel)
        clReleaseKernel(r->kernel);
    if (r->plain)
        clReleaseProgram(r->plain);
    free(r->begin);
    free(r->expected);
    free(r->found);
    free(r->once);
    free(r);
}

/* ---- The check ------------------------------------------------------------------------------- */

/* Whether all buffers and images are as they were when `found` was read. */
static enum cb_status find_repeats(struct cb_user_task_run *r, struct cb_err *err)
{
    if (cb_user_task_copy(r, r->expected, true, err) != CB_OK)
        return err->status;
    r->repeats = true;
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++)
        r->repeats &= !cb_setup_has_contents(cb_user_task_argument(r, i)) ||
                      memcmp(r->expected + r->at[i], r->found + r->at[i],
                             cb_user_task_argument(r, i)->bytes) == 0;
    return CB_OK;
}

enum cb_status cb_user_task_expect(struct cb_user_task_run *r, unsigned runs, struct cb_err *err)
{
    if (r->repeats || runs == r->expected_runs)
        return CB_OK;
    if (runs < r->expected_runs)
        r->expected_runs = 0;
    if (r->expected_runs == 0)
        memcpy(r->expected, r->begin, r->size);
    if (cb_user_task_copy(r, r->expected, false, err) != CB_OK)
        return err->status;
    for (; r->expected_runs < runs && !r->repeats; r->expected_runs++) {
        bool is_second = r->expected_runs == 1;
        if ((is_second && cb_user_task_copy(r, r->found, true, err) != CB_OK) ||
            cb_user_task_launch_once(r, err) != CB_OK)
            return err->status;
        if (is_second && find_repeats(r, err) != CB_OK)
            return err->status;
        if (r->expected_runs == 0 && cb_user_task_copy(r, r->once, true, err) != CB_OK)
            return err->status;
    }
    return cb_user_task_copy(r, r->expected, true, err);
}

/* Images of runs that begin anew are read only, and the megakernel has them between two tasks. */
static bool is_compared(const struct cb_setup *s, const struct cb_setup_argument *a)
{
    return cb_setup_is_buffer(a) || (cb_setup_is_image(a) && !s->is_fresh);
}

void cb_user_task_compare(struct cb_user_task_run *r, const unsigned char *found, const char *whose,
                          struct cb_sample *sample)
{
    const bool was_right = !*sample->failure;
    for (unsigned i = 0; i < r->task->setup.n_arguments; i++)
        if (is_compared(&r->task->setup, cb_user_task_argument(r, i)))
            cb_setup_check(&r->task->setup, i, found + r->at[i], r->expected + r->at[i],
                           r->once + r->at[i], whose, sample);
    if (was_right && *sample->failure && r->expected_runs > 1 && !r->repeats)
        cb_sample_context(sample, "after %u runs, each on what the last one left",
                          r->expected_runs);
}

enum cb_status cb_user_task_check(struct cb_user_task_run *r, unsigned runs,
                                  struct cb_sample *sample, struct cb_err *err)
{
    if (runs == 0 || r->task->setup.is_fresh)
        return CB_OK;
    if (cb_user_task_expect(r, runs, err) != CB_OK || read_all(r, r->found, err) != CB_OK)
        return err->status;
    cb_user_task_compare(r, r->found, A_PLAIN_LAUNCH, sample);
    return CB_OK;
}

static enum cb_status check_launches(struct cb_user_task_run *r, unsigned runs,
                                     struct cb_sample *sample, struct cb_err *err)
{
    unsigned char *found = malloc(r->size);
    enum cb_status status = found ? cb_user_task_copy(r, found, true, err) : cb_no_memory(err);
    if (status == CB_OK)
        status = cb_user_task_expect(r, runs, err);
    if (status == CB_OK)
        cb_user_task_compare(r, found, A_PLAIN_LAUNCH, sample);
    free(found);
    return status;
}

enum cb_status cb_user_task_check_launches(struct cb_user_task_run *r, unsigned runs,
                                           struct cb_sample *sample, struct cb_err *err)
{
    return runs == 0 || r->task->setup.is_fresh ? CB_OK : check_launches(r, runs, sample, err);
}

/* ---- Runs that all begin as the first -------------------------------------------------------- */

enum cb_status cb_user_task_renew(struct cb_user_task_run *r, struct cb_sample *sample,
                                  struct cb_err *err)
{
    if (!r->task->setup.is_fresh)
        return CB_OK;
    if (sample && cb_arena_read(&r->arena, 0, r->found, r->arena.size, err) != CB_OK)
        return err->status;
    if (sample)
        cb_user_task_compare(r, r->found, A_PLAIN_LAUNCH, sample);
    return cb_arena_write(&r->arena, 0, r->begin, r->arena.size, err);
}

enum cb_status cb_user_task_renew_launches(struct cb_user_task_run *r, struct cb_sample *sample,
                                           struct cb_err *err)
{
    if (!r->task->setup.is_fresh)
        return CB_OK;
    return check_launches(r, 1, sample, err) == CB_OK ? cb_user_task_copy(r, r->begin, false, err)
                                                      : err->status;
}
