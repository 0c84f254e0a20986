/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers, arguments and check of a user's app.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/host/user_app.h"
#include "apps/host/user_buffer.h"
#include "runtime/coop/coop.h"
#include "runtime/host/time.h"

#define FEW_GROUPS 4 /* workgroups of the run that others are compared with */

/* ---- A run's input --------------------------------------------------------------------------- */

struct state {
    struct cb_session *session;
    const struct cb_user_app *user;
    struct cb_user_buffer buffers[CB_SETUP_ARGUMENTS];
    unsigned char *begin[CB_SETUP_ARGUMENTS];
    unsigned char *expected[CB_SETUP_ARGUMENTS], *before[CB_SETUP_ARGUMENTS]; /* a run before */
    unsigned expected_runs; /* 0: nothing is expected yet */
    size_t wg_size;         /* of the runs that these are compared with */
    double run_ns;          /* how long the last of these took */
    bool repeats;           /* a second run has changed nothing */
};

static void user_close(void *self)
{
    struct state *s = self;
    for (int i = 0; s && i < CB_SETUP_ARGUMENTS; i++) {
        cb_user_buffer_release(&s->buffers[i]);
        free(s->begin[i]);
        free(s->expected[i]);
        free(s->before[i]);
    }
    free(s);
}

static enum cb_status make_buffer(struct state *s, unsigned i, struct cb_err *err)
{
    const struct cb_setup_argument *a = &s->user->setup.arguments[i];
    if (!cb_setup_is_buffer(a))
        return CB_OK;
    /* before the host's memory is taken: the device has a limit */
    if (cb_user_buffer_create(s->session, &s->user->setup, i, &s->buffers[i], err) != CB_OK)
        return err->status;
    s->begin[i] = malloc(cb_setup_guarded(a));
    s->expected[i] = malloc(cb_setup_guarded(a));
    s->before[i] = malloc(cb_setup_guarded(a));
    if (!s->begin[i] || !s->expected[i] || !s->before[i])
        return cb_fail(err, CB_ERROR, "%s: out of memory for %zu bytes", a->name, a->bytes);
    cb_setup_fill(a, s->begin[i]);
    cb_setup_guard(a, s->begin[i]);
    return CB_OK;
}

static enum cb_status user_open(struct cb_session *session, const char *input, size_t max_groups,
                                void **state, struct cb_err *err)
{
    struct state *s = *state = calloc(1, sizeof *s);
    (void)max_groups;
    if (!s)
        return cb_no_memory(err);
    for (int i = 0; i < CB_SETUP_ARGUMENTS; i++)
        s->buffers[i].guarded = -1;
    s->session = session;
    s->user = cb_user_app_of(input);
    if (!s->user)
        return cb_fail(err, CB_USAGE, "input: %s: a setup says itself what the input is", input);
    s->wg_size = cb_app_wg_size(&s->user->app, session->info.type);
    cb_identity_note(session, input, cb_setup_identity(&s->user->setup));
    for (unsigned i = 0; i < s->user->setup.n_arguments; i++)
        if (make_buffer(s, i, err) != CB_OK)
            return err->status;
    return CB_OK;
}

static size_t user_args(void *self, struct cb_kernel_value *values, size_t room)
{
    struct state *s = self;
    size_t n = 0;
    for (unsigned i = 0; i < s->user->setup.n_arguments && n < room; i++) {
        const struct cb_setup_argument *a = &s->user->setup.arguments[i];
        if (!a->is_local) /* else the program has it, in the size that the setup says */
            values[n++] = s->buffers[i].memory
                              ? (struct cb_kernel_value){sizeof(cl_mem), &s->buffers[i].memory}
                              : (struct cb_kernel_value){a->bytes, a->begin};
    }
    return n;
}

static enum cb_status user_clear(void *self, struct cb_err *err)
{
    struct state *s = self;
    for (unsigned i = 0; i < s->user->setup.n_arguments; i++)
        if (s->buffers[i].memory &&
            cb_user_buffer_write(s->session, &s->buffers[i], &s->user->setup.arguments[i],
                                 s->begin[i], err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* ---- Its check ------------------------------------------------------------------------------- */

/* Reads a buffer, the caller's to free; NULL and CB_OK: it is none. */
static enum cb_status read_buffer(struct state *s, unsigned i, unsigned char **found,
                                  struct cb_err *err)
{
    const struct cb_setup_argument *a = &s->user->setup.arguments[i];
    *found = NULL;
    if (!s->buffers[i].memory)
        return CB_OK;
    *found = malloc(cb_setup_guarded(a));
    return *found ? cb_user_buffer_read(s->session, &s->buffers[i], a, *found, err)
                  : cb_no_memory(err);
}

/* A kernel may do something else in workgroups of another size, as a sum of each. */
static void user_sized(void *self, size_t wg_size)
{
    struct state *s = self;
    if (wg_size == s->wg_size)
        return;
    s->wg_size = wg_size;
    s->expected_runs = 0;
    s->repeats = false;
}

/* Runs of the kernel in multikernel mode, from where it begins; into `expected`. */
static enum cb_status run_plainly(struct state *s, struct cb_coop *coop, unsigned runs,
                                  struct cb_err *err)
{
    struct cb_coop_time time;
    if (s->expected_runs == 0 && user_clear(s, err) != CB_OK)
        return err->status;
    for (; s->expected_runs < runs; s->expected_runs++) {
        const double begin = (double)cb_now_ns();
        if (cb_coop_run_alone(coop, FEW_GROUPS, &time, err) != CB_OK)
            return err->status;
        s->run_ns = (double)cb_now_ns() - begin;
    }
    for (unsigned i = 0; i < s->user->setup.n_arguments; i++)
        if (s->buffers[i].memory &&
            cb_user_buffer_read(s->session, &s->buffers[i], &s->user->setup.arguments[i],
                                s->expected[i], err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* Whether a second run changes nothing: then none does, since all that one begins with is there. */
static enum cb_status find_repeats(struct state *s, struct cb_coop *coop, struct cb_err *err)
{
    for (unsigned i = 0; i < s->user->setup.n_arguments; i++)
        if (s->buffers[i].memory)
            memcpy(s->before[i], s->expected[i], s->user->setup.arguments[i].bytes);
    if (run_plainly(s, coop, 2, err) != CB_OK)
        return err->status;
    s->repeats = true;
    for (unsigned i = 0; i < s->user->setup.n_arguments; i++)
        s->repeats &= !s->buffers[i].memory ||
                      memcmp(s->before[i], s->expected[i], s->user->setup.arguments[i].bytes) == 0;
    return CB_OK;
}

/* Makes `expected` that of so many runs. */
static enum cb_status expect(struct state *s, unsigned runs, struct cb_err *err)
{
    const struct cb_coop_config config = {.path = s->user->kernel,
                                          .wg_size = s->wg_size,
                                          .mode = COOP_MULTIKERNEL,
                                          .resizing = COOP_ATOMIC};
    struct cb_kernel_value values[CB_APP_MAX_ARGS];
    struct cb_coop *coop = NULL;
    if (s->expected_runs == runs || s->repeats)
        return CB_OK;
    s->expected_runs = 0;
    enum cb_status status = cb_coop_open(s->session, &config, &coop, err);
    if (status == CB_OK)
        status = cb_coop_args(coop, values, user_args(s, values, CB_APP_MAX_ARGS), err);
    if (status == CB_OK)
        status = run_plainly(s, coop, 1, err);
    if (status == CB_OK && runs > 1)
        status = find_repeats(s, coop, err);
    if (status == CB_OK && runs > 2 && !s->repeats)
        status = run_plainly(s, coop, runs, err);
    cb_coop_close(coop);
    return status;
}

enum cb_status cb_user_app_try(struct cb_session *session, const char *path, double *run_ns,
                               const struct cb_user_buffer **buffers, struct cb_err *err)
{
    void *state = NULL;
    enum cb_status status = user_open(session, path, 0, &state, err);
    struct state *s = state;
    if (status == CB_OK)
        status = expect(s, 2, err);
    if (status == CB_OK) {
        *run_ns = s->run_ns;
        *buffers = s->buffers;
    }
    return status;
}

static enum cb_status user_check(void *self, unsigned runs, struct cb_sample *sample,
                                 struct cb_err *err)
{
    struct state *s = self;
    unsigned char *found[CB_SETUP_ARGUMENTS] = {NULL};
    enum cb_status status = CB_OK;
    char whose[64];
    snprintf(whose, sizeof whose, "multikernel mode with %d workgroups", FEW_GROUPS);
    for (unsigned i = 0; i < s->user->setup.n_arguments && status == CB_OK; i++)
        status = read_buffer(s, i, &found[i], err);
    if (status == CB_OK && runs > 0)
        status = expect(s, runs, err);
    for (unsigned i = 0; i < CB_SETUP_ARGUMENTS; i++) {
        if (status == CB_OK && runs > 0 && found[i])
            cb_setup_check(&s->user->setup, i, found[i], s->expected[i],
                           runs > 1 ? s->before[i] : s->expected[i], whose, sample);
        free(found[i]);
    }
    return status;
}

const struct cb_app cb_user_app_base = {
    .inputs_help = "what the setup says",
    .synthetic = true, /* runs only if it is named */
    .open = user_open,
    .args = user_args,
    .clear = user_clear,
    .check = user_check,
    .sized = user_sized,
    .close = user_close,
};
