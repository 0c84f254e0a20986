/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that launch children, of 'coopbench launch', as apps: the kernel of each is a file of
 * its name, and its input and its check are the program's.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/host/app.h"
#include "apps/nested/programs/nest_abi.h"
#include "apps/nested/programs/nested_coop.h"
#include "apps/nested/programs/programs.h"
#include "kernels/coop_abi.h"

#define WG_SIZE       256u              /* the size of nested_coop.h */
#define MOST_KEPT     512u              /* runs whose words the check sees, at most */
#define KEPT_WORDS    ((size_t)1 << 24) /* words that are kept of all runs, if there are several */
#define BY_SCALE      "by-scale"        /* the input that suits the device */
#define WORD_BYTES(n) ((n) * sizeof(cl_uint))

enum { BEGINS, OTHERS, WORDS, FLAGS, RECORDS, LAUNCHES, FIRST, EXPECTED, DIGESTS, BUFFERS };

struct nested {
    struct cb_session *session;
    const struct cb_nest_program *program;
    struct cb_nest_data data;
    cl_mem buffers[BUFFERS];
    cl_uint has_laps, child_size, factor, threshold;
    cl_uint n_words, kept, n_expected;
    uint32_t *found; /* words of the runs that are kept */
};

static void nested_close(void *state)
{
    struct nested *n = state;
    for (int b = 0; n && b < BUFFERS; b++)
        if (n->buffers[b])
            clReleaseMemObject(n->buffers[b]);
    if (n) {
        cb_nest_free(&n->data);
        free(n->found);
    }
    free(n);
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* A size by its name, or what the program takes. */
static enum cb_status make_input(struct nested *n, const char *input, struct cb_err *err)
{
    for (int size = 0; size < CB_LAUNCH_SIZES; size++)
        if (strcmp(input, cb_launch_size_names[size]) == 0)
            return cb_nest_make(n->program, (enum cb_launch_size)size, NULL, &n->data, err);
    if (n->program->takes)
        return cb_nest_make(n->program, CB_LAUNCH_SMALL, input, &n->data, err);
    return cb_fail(err, CB_USAGE, "%s: expected small, medium or large, got \"%s\"", n->program->id,
                   input);
}

static void choose_values(struct nested *n)
{
    const struct cb_nest_data *d = &n->data;
    const size_t room = KEPT_WORDS / d->n_words;
    n->has_laps = n->program->has_laps;
    n->child_size = n->program->child_size;
    n->factor = n->threshold = 1;
    n->n_words = (cl_uint)d->n_words;
    n->kept = room < 1 ? 1 : room < MOST_KEPT ? (cl_uint)room : MOST_KEPT;
    n->n_expected = n->program->check ? 0 : (cl_uint)d->n_expected;
}

static enum cb_status create_buffers(struct nested *n, size_t max_groups, struct cb_err *err)
{
    const struct cb_nest_data *d = &n->data;
    const size_t groups = max_groups < COOP_MAX_WORKERS ? max_groups : COOP_MAX_WORKERS,
                 expected = n->n_expected > 0 ? n->n_expected : 1;
    const size_t bytes[BUFFERS] = {
        [BEGINS] = WORD_BYTES(d->parents + (size_t)1),
        [OTHERS] = WORD_BYTES(d->n_others),
        [WORDS] = WORD_BYTES(d->n_words * n->kept),
        [FLAGS] = WORD_BYTES(NEST_FLAGS),
        [RECORDS] = groups * n->session->info.max_wg_size * sizeof(nest_record),
        [LAUNCHES] = WORD_BYTES(1),
        [FIRST] = WORD_BYTES(d->n_words),
        [EXPECTED] = WORD_BYTES(expected),
        [DIGESTS] = WORD_BYTES(COOP_MAX_RUNS),
    };
    const uint32_t *const begin[BUFFERS] = {
        [BEGINS] = d->begins, [OTHERS] = d->others, [FIRST] = d->words, [EXPECTED] = d->expected};
    enum cb_status status = cb_buffers_create(n->session, bytes, BUFFERS, n->buffers, err);
    for (int b = 0; b < BUFFERS && status == CB_OK; b++)
        if (begin[b])
            status = cb_buffer_write(n->session, n->buffers[b], begin[b], bytes[b], err);
    return status;
}

static enum cb_status nested_open(const struct cb_nest_program *program, struct cb_session *session,
                                  const char *input, size_t max_groups, void **state,
                                  struct cb_err *err)
{
    struct nested *n = *state = calloc(1, sizeof *n);
    if (!n)
        return cb_no_memory(err);
    n->session = session;
    n->program = program;
    if (make_input(n, input, err) != CB_OK)
        return err->status;
    choose_values(n);
    n->found = malloc(WORD_BYTES(n->data.n_words * n->kept));
    return n->found ? create_buffers(n, max_groups, err) : cb_no_memory(err);
}

/* ---- A launch -------------------------------------------------------------------------------- */

static size_t nested_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct nested *n = state;
    static const cl_uint none = 0; /* runs from the first round on, and leaves nothing out */
    const struct cb_nest_args args = {
        .begins = &n->buffers[BEGINS],
        .others = &n->buffers[OTHERS],
        .words = &n->buffers[WORDS],
        .flags = &n->buffers[FLAGS],
        .records = &n->buffers[RECORDS],
        .counts = &n->buffers[LAUNCHES], /* counts that no `block` has */
        .launches = &n->buffers[LAUNCHES],
        .parents = &n->data.parents,
        .n = &n->data.n,
        .phases = &n->program->phases,
        .launching = &n->program->launching,
        .has_laps = &n->has_laps,
        .child_size = &n->child_size,
        .factor = &n->factor,
        .threshold = &n->threshold,
        .room = &none, /* which only other forms of the kernel need */
        .first_lap = &none,
        .first_phase = &none,
        .off = &none,
    };
    const struct cb_kernel_value more[] = {
        {sizeof(cl_mem), &n->buffers[FIRST]},
        {sizeof n->n_words, &n->n_words},
        {sizeof n->kept, &n->kept},
        {sizeof(cl_mem), &n->buffers[EXPECTED]},
        {sizeof n->n_expected, &n->n_expected},
        {sizeof(cl_mem), &n->buffers[DIGESTS]},
    };
    if (room < CB_NEST_ARGS + CB_COUNTOF(more))
        return 0;
    cb_nest_values(&args, values);
    memcpy(values + CB_NEST_ARGS, more, sizeof more);
    return CB_NEST_ARGS + CB_COUNTOF(more);
}

static enum cb_status nested_clear(void *state, struct cb_err *err)
{
    struct nested *n = state;
    return cb_buffer_clear(n->session, n->buffers[DIGESTS], WORD_BYTES(COOP_MAX_RUNS), err);
}

/* The words of a run. */
static bool check_run(const struct nested *n, unsigned run, struct cb_sample *sample)
{
    const uint32_t *found = n->found + run % n->kept * n->data.n_words;
    char why[CB_NEST_WHY] = "";
    if (n->program->check) {
        const bool right = n->program->check(&n->data, found, why);
        return cb_sample_check(sample, right, "run %u: %s", run, why);
    }
    for (size_t i = 0; i < n->n_expected; i++)
        if (!cb_sample_check(sample, found[i] == n->data.expected[i],
                             "run %u: word %zu is %u instead of %u", run, i, found[i],
                             n->data.expected[i]))
            return false;
    return true;
}

/* The runs that are kept whole, the last first; of all others how many words are right. Where it is
 * not known what they have to be, those are not looked at. */
static enum cb_status nested_check(void *state, unsigned runs, struct cb_sample *sample,
                                   struct cb_err *err)
{
    struct nested *n = state;
    const unsigned kept = runs < n->kept ? runs : n->kept;
    bool right = true;
    if (kept > 0 && cb_buffer_read(n->session, n->buffers[WORDS], n->found,
                                   WORD_BYTES(n->data.n_words * kept), err) != CB_OK)
        return err->status;
    for (unsigned i = 1; i <= kept && right; i++)
        right = check_run(n, runs - i, sample);
    return cb_app_check_digests(n->session, n->buffers[DIGESTS], runs, n->n_expected, sample, err);
}

/* ---- The apps -------------------------------------------------------------------------------- */

#define SIZES "small, medium, large: the sizes of 'coopbench launch'"
#define EACH(size)                                                                                 \
    {                                                                                              \
        size, {size, size, size}, .on_request = true                                               \
    }

/* id: of the program, the app and its kernel */
#define APP(program_id, what, takes)                                                               \
    extern const struct cb_nest_program cb_nest_##program_id;                                      \
    static enum cb_status open_##program_id(struct cb_session *session, const char *input,         \
                                            size_t max_groups, void **state, struct cb_err *err)   \
    {                                                                                              \
        return nested_open(&cb_nest_##program_id, session, input, max_groups, state, err);         \
    }                                                                                              \
    const struct cb_app cb_app_##program_id = {                                                    \
        .id = #program_id,                                                                         \
        .summary = "Work-items launch children: " what,                                            \
        .source = "KLAP'16 Tab. I",                                                                \
        .kernel = "apps/nested/" #program_id ".cl",                                                \
        .inputs_help = SIZES takes,                                                                \
        .inputs = {{BY_SCALE, {"small", "small", "medium"}},                                       \
                   EACH("small"),                                                                  \
                   EACH("medium"),                                                                 \
                   EACH("large")},                                                                 \
        .synthetic = true,                                                                         \
        .by_name = true,                                                                           \
        .submits = true,                                                                           \
        .gpu_wg_size = WG_SIZE,                                                                    \
        .cpu_wg_size = WG_SIZE,                                                                    \
        .open = open_##program_id,                                                                 \
        .args = nested_args,                                                                       \
        .clear = nested_clear,                                                                     \
        .check = nested_check,                                                                     \
        .close = nested_close,                                                                     \
    };

CB_NEST_APPS(APP)
