/* SPDX-License-Identifier: Apache-2.0
 *
 * The megakernel from the host: start, limit, stop, times and traces.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/coop/internal.h"
#include "runtime/coop/together.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"

#define POLL_NS    20000 /* the host's pause between two looks, where it shares the CPU */
#define LIFETIME_S 100   /* lifetime of a megakernel that runs the app once */
#define GATHER_S   1

/* ---- Ctrl-C --------------------------------------------------------------------------------
 * The supervisor ends a worker by SIGTERM. While a megakernel runs, that is put off until the
 * kernel has been told to give up, so that the device is free at once. */

static volatile sig_atomic_t terminated;

static void note_signal(int signal)
{
    (void)signal;
    terminated = 1;
}

static enum cb_status check_signal(struct cb_coop *c, struct cb_err *err)
{
    if (!terminated)
        return CB_OK;
    cb_coop_abandon(c);
    cb_coop_stop(c, NULL, err);
    return cb_fail(err, CB_INTERRUPTED, "interrupted");
}

/* ---- The megakernel -------------------------------------------------------------------------- */

/* What the run of another launch goes on from; the rest of the control block is written later. */
static enum cb_status write_left(struct cb_coop *c, const struct cb_coop_left *left,
                                 struct cb_err *err)
{
    c->first_run = c->control->kernels[0].run = left->run;
    c->control->resumed = left->in_run;
    if (!left->in_run)
        return CB_OK;
    if (c->config.semantics != COOP_WHOLE)
        return cb_fail(err, CB_ERROR, "a run goes on with the semantics whole only");
    enum cb_status status =
        cb_buffer_write(c->session, c->buffers[ENTRIES], &left->entry, sizeof left->entry, err);
    return status == CB_OK ? cb_buffer_write(c->session, c->buffers[STATES], left->state,
                                             sizeof left->state, err)
                           : status;
}

enum cb_status cb_coop_make_room(struct cb_coop *c, size_t workers, struct cb_err *err)
{
    return cb_coop_prepare(c, workers, err);
}

enum cb_status cb_coop_start(struct cb_coop *c, size_t workers, const struct cb_coop_start *how,
                             struct cb_err *err)
{
    if (cb_coop_prepare(c, workers, err) != CB_OK)
        return err->status;
    cb_coop_clear_control(c, workers);
    c->workers = workers;
    c->first_run = 0;
    if (how->most > workers)
        c->control->most = how->most;
    if (how->from && write_left(c, how->from, err) != CB_OK)
        return err->status;
    memset(c->sent, 0, sizeof c->sent);
    c->control->lifetime_ticks = cb_coop_ticks(c, how->lifetime_s * 1e9);
    c->control->gather_ticks = cb_coop_ticks(c, how->gather_s * 1e9);
    coop_host_words host = {0};
    c->writes = 1; /* number of the first write, with the start; the channel answers 0 until then */
    for (unsigned k = 0; k < COOP_MOST_KERNELS; k++) {
        host.repeat[k] = how->later[k] ? COOP_LATER : how->repeat ? COOP_REPEAT : COOP_ONCE;
        host.limits[k] = COOP_LIMIT(k == 0 ? how->first_groups : 0, 0, c->writes);
        c->written[k] = c->writes;
    }
    if (cb_coop_write_control(c, err) != CB_OK ||
        cb_coop_channel_reset(&c->channel, &host, err) != CB_OK)
        return err->status;
    const struct sigaction action = {.sa_handler = note_signal};
    sigaction(SIGTERM, &action, &c->before);
    c->launched_ns = (double)cb_now_ns();
    for (unsigned k = 0; k < COOP_MOST_KERNELS; k++)
        c->limited_ns[k] = c->launched_ns;
    enum cb_status status =
        cb_launch_begin(c->session, c->kernel, workers + 1, c->config.wg_size, &c->event, err);
    if (!c->event)
        sigaction(SIGTERM, &c->before, NULL);
    return status;
}

bool cb_coop_has_ended(struct cb_coop *c)
{
    cl_int state = CL_COMPLETE, code = CL_SUCCESS;
    if (c->event)
        code =
            clGetEventInfo(c->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code != CL_SUCCESS)
        state = code;
    if (state < CL_COMPLETE)
        c->ended_by = state;
    return state <= CL_COMPLETE;
}

/* Sends limits of `n` kernels from `first` on; the others keep theirs, with the number of the
 * write. */
static enum cb_status send_limits(struct cb_coop *c, unsigned first, unsigned n,
                                  const unsigned *groups, struct cb_err *err)
{
    c->writes++;
    for (unsigned k = 0; k < COOP_MOST_KERNELS; k++) {
        uint32_t *limit = &c->channel.host.limits[k];
        const bool is_set = k >= first && k - first < n;
        *limit = COOP_LIMIT(is_set ? groups[k - first] : COOP_LIMIT_GROUPS(*limit),
                            COOP_LIMIT_TIMES(*limit) + is_set, c->writes);
        if (is_set)
            c->written[k] = c->writes;
    }
    return cb_coop_channel_send_limits(&c->channel, err);
}

static enum cb_status set_limits(struct cb_coop *c, unsigned first, unsigned n,
                                 const unsigned *groups, struct cb_err *err)
{
    const bool may_be_none = c->config.semantics == COOP_WHOLE;
    for (unsigned i = 0; i < n; i++)
        if (groups[i] > c->workers && !(may_be_none && groups[i] == COOP_LIMIT_NONE))
            return cb_fail(err, CB_ERROR, "at most %u workgroup%s: there are %zu%s", groups[i],
                           CB_PLURAL(groups[i]), c->workers,
                           groups[i] == COOP_LIMIT_NONE ? " (none needs the semantics whole)" : "");
    for (unsigned i = 0; i < n; i++)
        c->limited_ns[first + i] = (double)cb_now_ns();
    return send_limits(c, first, n, groups, err);
}

enum cb_status cb_coop_limit_of(struct cb_coop *c, unsigned kernel, unsigned groups,
                                struct cb_err *err)
{
    return set_limits(c, kernel, 1, &groups, err);
}

enum cb_status cb_coop_limits(struct cb_coop *c, const unsigned *groups, struct cb_err *err)
{
    return set_limits(c, 0, cb_coop_kernels(c), groups, err);
}

enum cb_status cb_coop_limit(struct cb_coop *c, unsigned groups, struct cb_err *err)
{
    return cb_coop_limit_of(c, 0, groups, err);
}

enum cb_status cb_coop_repeat_of(struct cb_coop *c, unsigned kernel, bool repeat,
                                 struct cb_err *err)
{
    uint32_t *word = &c->channel.host.repeat[kernel];
    *word = repeat ? COOP_REPEAT : COOP_ONCE;
    return cb_coop_channel_send_word(&c->channel, word, err);
}

/* The host pauses on CPU devices, which share their cores with it. */
enum cb_status cb_coop_pause(struct cb_coop *c, struct cb_err *err)
{
    const struct timespec pause = {0, POLL_NS};
    if (cb_device_is_cpu(&c->session->info))
        nanosleep(&pause, NULL);
    return check_signal(c, err);
}

enum cb_status cb_coop_gave_up(struct cb_coop *c, const char *before, struct cb_err *err)
{
    if (cb_coop_stop(c, NULL, err) != CB_OK)
        return err->status;
    if (CB_CL_CODE(err, c->ended_by, "clGetEventInfo") != CB_OK)
        return cb_context(err, "the megakernel ended before %s", before);
    return cb_fail(err, CB_ERROR, "the megakernel ended before %s", before);
}

static struct cb_coop_resize resize_of(const struct cb_coop *c, unsigned kernel,
                                       const coop_device_kernel *words)
{
    double ns = c->session->ns_per_tick;
    return (struct cb_coop_resize){
        .resize_ns = (double)(words->limit_reached - words->limit_seen) * ns,
        .answer_ns = (double)cb_now_ns() - c->limited_ns[kernel],
        .seen_ns = (double)words->limit_seen * ns,
        .reached_ns = (double)words->limit_reached * ns,
        .active = words->limit_active,
    };
}

static enum cb_status too_late(struct cb_coop *c, unsigned kernel, double deadline_s,
                               struct cb_err *err)
{
    struct cb_err ignored;
    unsigned groups = COOP_LIMIT_GROUPS(c->channel.host.limits[kernel]);
    cb_coop_abandon(c);
    cb_coop_stop(c, NULL, &ignored);
    if (groups == COOP_LIMIT_NONE)
        return cb_fail(
            err, CB_TIMEOUT,
            "the cooperative kernel was to have no workgroups, and had some after %.3g s",
            deadline_s);
    return cb_fail(err, CB_TIMEOUT,
                   "the cooperative kernel was to have at most %u workgroup%s (0: all of %zu), and "
                   "had not come to that within %.3g s",
                   groups, CB_PLURAL(groups), c->workers, deadline_s);
}

/* Whether the kernel's limit has come to pass as of its last write. A later write, of other
 * kernels' limits, will do: less than 65,536 are on their way. */
static bool is_reached(const struct cb_coop *c, unsigned kernel, const coop_device_kernel *words)
{
    const uint16_t ago = (uint16_t)(c->writes - words->limit);
    return ago <= c->writes - c->written[kernel];
}

/* Copies once more after the limit's word has come: what goes with the word is whole only in a
 * later copy. */
enum cb_status cb_coop_await_limit_of(struct cb_coop *c, unsigned kernel, double deadline_s,
                                      struct cb_coop_resize *resize, struct cb_err *err)
{
    for (bool reached = false, ended = false;;) {
        coop_device_kernel words;
        if (cb_coop_channel_look(&c->channel, kernel, &words, err) != CB_OK)
            return err->status;
        if (reached) {
            *resize = resize_of(c, kernel, &words);
            return CB_OK;
        }
        reached = is_reached(c, kernel, &words);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (!reached && ended)
            return cb_coop_gave_up(c, "its limit was reached", err);
        ended = cb_coop_has_ended(c);
        if (!reached && (double)cb_now_ns() - c->limited_ns[kernel] > deadline_s * 1e9)
            return too_late(c, kernel, deadline_s, err);
        if (cb_coop_pause(c, err) != CB_OK)
            return err->status;
    }
}

enum cb_status cb_coop_await_limits(struct cb_coop *c, double deadline_s,
                                    struct cb_coop_resize *resizes, struct cb_err *err)
{
    for (unsigned k = 0; k < cb_coop_kernels(c); k++)
        if (cb_coop_await_limit_of(c, k, deadline_s, &resizes[k], err) != CB_OK)
            return err->status;
    return CB_OK;
}

enum cb_status cb_coop_await_limit(struct cb_coop *c, double deadline_s,
                                   struct cb_coop_resize *resize, struct cb_err *err)
{
    return cb_coop_await_limit_of(c, 0, deadline_s, resize, err);
}

enum cb_status cb_coop_runs_of(struct cb_coop *c, unsigned kernel, unsigned *runs,
                               struct cb_err *err)
{
    coop_device_kernel words = {0};
    enum cb_status status = check_signal(c, err);
    if (status == CB_OK)
        status = cb_coop_channel_look(&c->channel, kernel, &words, err);
    *runs = words.runs;
    return status;
}

enum cb_status cb_coop_points(struct cb_coop *c, uint32_t *points, struct cb_err *err)
{
    coop_device_kernel words = {0};
    enum cb_status status = cb_coop_channel_look(&c->channel, 0, &words, err);
    *points = words.points;
    return status;
}

enum cb_status cb_coop_runs(struct cb_coop *c, unsigned *runs, struct cb_err *err)
{
    return cb_coop_runs_of(c, 0, runs, err);
}

void cb_coop_abandon(struct cb_coop *c)
{
    struct cb_err ignored;
    send_limits(c, 0, 1, &(unsigned){COOP_ABANDON}, &ignored);
}

static enum cb_status copy_times(struct cb_coop *c, unsigned kernel, unsigned first_run,
                                 struct cb_coop_result *r, struct cb_err *err)
{
    const coop_kernel_words *words = &c->control->kernels[kernel];
    const unsigned runs = words->run, room = COOP_TIMES_OF(cb_coop_kernels(c));
    unsigned kept = runs - first_run < room ? runs - first_run : room;
    r->runs = runs;
    r->entered_ticks = words->entered;
    r->gone_ticks = words->gone;
    r->kills = words->kills;
    r->forks = words->forks;
    r->kept = kept;
    r->run_ns = calloc(kept + 1, sizeof *r->run_ns);
    r->start_ns = calloc(kept + 1, sizeof *r->start_ns);
    if (!r->run_ns || !r->start_ns)
        return cb_no_memory(err);
    for (unsigned i = 0; i < kept; i++) {
        unsigned at = COOP_TIME_AT(cb_coop_kernels(c), kernel, runs - kept + i);
        r->run_ns[i] =
            (double)(c->control->ended[at] - c->control->started[at]) * c->session->ns_per_tick;
        r->start_ns[i] = (double)c->control->started[at] * c->session->ns_per_tick;
    }
    return CB_OK;
}

enum cb_status cb_coop_read_times(struct cb_coop *c, unsigned first_run, struct cb_coop_result *r,
                                  struct cb_err *err)
{
    if (cb_buffer_read(c->session, c->buffers[CONTROL], c->control, sizeof *c->control, err) !=
        CB_OK)
        return err->status;
    return copy_times(c, 0, first_run, r, err);
}

enum cb_status cb_coop_result_of(struct cb_coop *c, unsigned kernel, struct cb_coop_result *r,
                                 struct cb_err *err)
{
    *r = (struct cb_coop_result){0};
    return copy_times(c, kernel, c->first_run, r, err);
}

/* With `any` each workgroup that leaves takes one permit. A permit that is taken in vain is a
 * workgroup too few that leaves: nothing else would tell, since the run ends all the same. */
static enum cb_status check_permits(const struct cb_coop *c, struct cb_err *err)
{
    const coop_kernel_words *words = c->control->kernels;
    const unsigned taken = COOP_PERMITS_TAKEN(words->permits);
    if (c->config.semantics != COOP_ANY || taken == words->left)
        return CB_OK;
    return cb_fail(err, CB_VERIFY_FAILED, "%u permits to leave were taken, and %u workgroups left",
                   taken, words->left);
}

/* stop: COOP_STOP_... */
static enum cb_status stop_by(struct cb_coop *c, uint32_t stop, struct cb_coop_result *result,
                              struct cb_err *err)
{
    if (!c->event)
        return cb_fail(err, CB_ERROR, "no megakernel runs");
    uint64_t event_ns = 0;
    struct cb_err sending = {0};
    cb_coop_channel_send_stop(&c->channel, stop,
                              &sending); /* if sending fails, the lifetime ends the kernel */
    enum cb_status status =
        cb_launch_end(c->session, c->event, c->workers + 1, &event_ns, NULL, err);
    double host_ns = (double)cb_now_ns() - c->launched_ns;
    c->event = NULL;
    sigaction(SIGTERM, &c->before, NULL);
    if (status == CB_OK)
        status = cb_coop_read_control(c, err);
    if (status == CB_OK)
        status = check_permits(c, err);
    if (status == CB_OK && result) {
        *result = (struct cb_coop_result){.kernel_ns = (double)event_ns, .host_ns = host_ns};
        status = cb_coop_read_times(c, c->first_run, result, err);
    }
    return status;
}

enum cb_status cb_coop_stop(struct cb_coop *c, struct cb_coop_result *result, struct cb_err *err)
{
    return stop_by(c, COOP_STOP_END, result, err);
}

/* global_barrier()s are counted anew in another launch. */
static enum cb_status read_left(struct cb_coop *c, struct cb_coop_left *left, struct cb_err *err)
{
    enum cb_status status =
        cb_buffer_read(c->session, c->buffers[ENTRIES], &left->entry, sizeof left->entry, err);
    left->entry.plain = 0;
    return status == CB_OK ? cb_buffer_read(c->session, c->buffers[STATES], left->state,
                                            sizeof left->state, err)
                           : status;
}

enum cb_status cb_coop_kill(struct cb_coop *c, struct cb_coop_result *result,
                            struct cb_coop_left *left, struct cb_err *err)
{
    *left = (struct cb_coop_left){0};
    if (c->config.semantics != COOP_WHOLE)
        return cb_fail(err, CB_ERROR, "all workgroups are killed with the semantics whole only");
    if (stop_by(c, COOP_STOP_KILL, result, err) != CB_OK)
        return err->status;
    left->run = c->control->kernels[0].run;
    left->in_run = c->control->kernels[0].killed;
    return left->in_run ? read_left(c, left, err) : CB_OK;
}

enum cb_status cb_coop_run_megakernel(struct cb_coop *c, size_t groups, struct cb_coop_time *time,
                                      struct cb_err *err)
{
    const struct cb_coop_start how = {.lifetime_s = LIFETIME_S, .gather_s = GATHER_S};
    struct cb_coop_result r = {0};
    enum cb_status status = cb_coop_start(c, groups, &how, err);
    if (status == CB_OK)
        status = cb_coop_stop(c, &r, err);
    bool clocked = r.run_ns && r.kept > 0 && c->session->ns_per_tick > 0;
    *time = (struct cb_coop_time){clocked ? r.run_ns[r.kept - 1] : r.kernel_ns, r.host_ns};
    free(r.run_ns);
    free(r.start_ns);
    return status;
}

enum cb_status cb_coop_read_trace(struct cb_coop *c, coop_trace_event **events, uint32_t **counts,
                                  struct cb_err *err)
{
    size_t capacity = c->config.trace_events, rings = c->workers + 1;
    *events = malloc((rings * capacity + 1) * sizeof **events);
    *counts = calloc(rings, sizeof **counts);
    if (!*events || !*counts)
        return cb_no_memory(err);
    if (cb_buffer_read(c->session, c->buffers[TRACES], *events, rings * capacity * sizeof **events,
                       err) != CB_OK)
        return err->status;
    for (size_t r = 0; r < rings; r++)
        while ((*counts)[r] < capacity &&
               (*events)[r * capacity + (*counts)[r]].kind != COOP_EVENT_NONE)
            (*counts)[r]++;
    return CB_OK;
}
