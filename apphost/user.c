/* SPDX-License-Identifier: Apache-2.0 */
#include "apphost/user.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apphost/setup.h"
#include "merge/merge.h"
#include "runtime/coop/coop.h"
#include "runtime/source.h"

#define APPS_VARIABLE "COOPBENCH_USER_APPS" /* of the environment: setups, a line each */
#define FEW_GROUPS    4                     /* of the run that the others are compared with */

struct user_app {
    struct cb_app app; /* the first: an app is one of these */
    struct cb_setup setup;
    char *path;       /* of the setup */
    char kernel[256]; /* under which the merged text is kept */
};

static struct user_app *users[CB_USER_APPS];
static int n_users;

/* ---- A run's input --------------------------------------------------------------------------- */

struct state {
    struct cb_session *session;
    const struct user_app *user;
    cl_mem buffers[CB_SETUP_ARGUMENTS];
    unsigned char values[CB_SETUP_ARGUMENTS][128];
    unsigned char *begin[CB_SETUP_ARGUMENTS];
    unsigned char *expected[CB_SETUP_ARGUMENTS], *before[CB_SETUP_ARGUMENTS]; /* a run before */
    unsigned expected_runs; /* 0: nothing is expected yet */
    bool repeats;           /* a second run has changed nothing */
};

static const struct user_app *user_of(const char *path)
{
    for (int i = 0; i < n_users; i++)
        if (strcmp(users[i]->path, path) == 0)
            return users[i];
    return NULL;
}

static void user_close(void *self)
{
    struct state *s = self;
    for (int i = 0; s && i < CB_SETUP_ARGUMENTS; i++) {
        if (s->buffers[i])
            clReleaseMemObject(s->buffers[i]);
        free(s->begin[i]);
        free(s->expected[i]);
        free(s->before[i]);
    }
    free(s);
}

static enum cb_status make_buffer(struct state *s, unsigned i, struct cb_err *err)
{
    const struct cb_setup_argument *a = &s->user->setup.arguments[i];
    if (!a->is_pointer) {
        cb_setup_value(a, s->values[i]);
        return CB_OK;
    }
    s->buffers[i] = cb_buffer_create(s->session, a->bytes, err);
    if (!s->buffers[i]) { /* before the host's memory is taken: the device has a limit */
        cb_context(err, "%s", a->name);
        return err->status;
    }
    s->begin[i] = malloc(a->bytes);
    s->expected[i] = malloc(a->bytes);
    s->before[i] = malloc(a->bytes);
    if (!s->begin[i] || !s->expected[i] || !s->before[i])
        return cb_fail(err, CB_ERROR, "%s: no memory for %zu bytes", a->name, a->bytes);
    cb_setup_fill(a, s->begin[i]);
    return CB_OK;
}

static enum cb_status user_open(struct cb_session *session, const char *input, size_t max_groups,
                                void **state, struct cb_err *err)
{
    struct state *s = *state = calloc(1, sizeof *s);
    (void)max_groups;
    if (!s)
        return cb_fail(err, CB_ERROR, "out of memory");
    s->session = session;
    s->user = user_of(input);
    if (!s->user)
        return cb_fail(err, CB_USAGE, "input: %s: a setup says itself what the input is", input);
    for (unsigned i = 0; i < s->user->setup.n_arguments; i++)
        if (make_buffer(s, i, err) != CB_OK)
            return err->status;
    return CB_OK;
}

static size_t user_args(void *self, struct cb_kernel_value *values, size_t room)
{
    struct state *s = self;
    size_t n = s->user->setup.n_arguments;
    for (size_t i = 0; i < n && i < room; i++)
        values[i] = s->buffers[i]
                        ? (struct cb_kernel_value){sizeof s->buffers[i], &s->buffers[i]}
                        : (struct cb_kernel_value){s->user->setup.arguments[i].bytes, s->values[i]};
    return n;
}

static enum cb_status user_clear(void *self, struct cb_err *err)
{
    struct state *s = self;
    for (unsigned i = 0; i < s->user->setup.n_arguments; i++)
        if (s->buffers[i] && cb_buffer_write(s->session, s->buffers[i], s->begin[i],
                                             s->user->setup.arguments[i].bytes, err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* ---- Its check ------------------------------------------------------------------------------- */

/* Reads a buffer that is checked; NULL and CB_OK: it is not. The caller frees it. */
static enum cb_status read_buffer(struct state *s, unsigned i, unsigned char **found,
                                  struct cb_err *err)
{
    const struct cb_setup_argument *a = &s->user->setup.arguments[i];
    *found = NULL;
    if (!s->buffers[i] || !a->is_checked)
        return CB_OK;
    *found = malloc(a->bytes);
    return *found ? cb_buffer_read(s->session, s->buffers[i], *found, a->bytes, err)
                  : cb_fail(err, CB_ERROR, "out of memory");
}

static double number_at(const struct cb_element *e, const unsigned char *at)
{
    float single;
    double value;
    memcpy(e->size == 4 ? (void *)&single : (void *)&value, at, e->size);
    return e->size == 4 ? (double)single : value;
}

/* The first element that differs; the end: none does. */
static size_t differs_at(const struct cb_setup_argument *a, double tolerance,
                         const unsigned char *found, const unsigned char *expected)
{
    const struct cb_element *e = &a->element;
    if (memcmp(found, expected, a->bytes) == 0)
        return a->bytes / e->size;
    for (size_t i = 0; i < a->bytes / e->size; i++) {
        const unsigned char *f = found + i * e->size, *x = expected + i * e->size;
        if (memcmp(f, x, e->size) == 0)
            continue;
        if (e->kind != 'f')
            return i;
        double is = number_at(e, f), should = number_at(e, x);
        if (!(fabs(is - should) <= tolerance * fmax(fabs(is), fabs(should))))
            return i;
    }
    return a->bytes / e->size;
}

static void print_element(const struct cb_element *e, const unsigned char *at, char text[40])
{
    int64_t whole = 0;
    memcpy(&whole, at, e->kind == 'f' ? 0 : e->size);
    if (e->kind == 'f')
        snprintf(text, 40, "%.9g", number_at(e, at));
    else if (e->kind == 'u')
        snprintf(text, 40, "%llu", (unsigned long long)whole);
    else
        snprintf(text, 40, "%lld", (long long)(whole << (64 - 8 * e->size)) >> (64 - 8 * e->size));
}

static bool check_buffer(struct state *s, unsigned i, const unsigned char *found,
                         struct cb_sample *sample)
{
    const struct cb_setup_argument *a = &s->user->setup.arguments[i];
    size_t at = differs_at(a, s->user->setup.tolerance, found, s->expected[i]);
    char is[40], should[40];
    if (at == a->bytes / a->element.size)
        return cb_sample_check(sample, true, " ");
    print_element(&a->element, found + at * a->element.size, is);
    print_element(&a->element, s->expected[i] + at * a->element.size, should);
    return cb_sample_check(sample, false, "%s, element %zu: %s instead of %s", a->name, at, is,
                           should);
}

/* Runs of the kernel in multikernel mode, from where it begins; into `expected`. */
static enum cb_status run_plainly(struct state *s, struct cb_coop *coop, unsigned runs,
                                  struct cb_err *err)
{
    struct cb_coop_time time;
    if (s->expected_runs == 0 && user_clear(s, err) != CB_OK)
        return err->status;
    for (; s->expected_runs < runs; s->expected_runs++)
        if (cb_coop_run_alone(coop, FEW_GROUPS, &time, err) != CB_OK)
            return err->status;
    for (unsigned i = 0; i < s->user->setup.n_arguments; i++)
        if (s->buffers[i] && cb_buffer_read(s->session, s->buffers[i], s->expected[i],
                                            s->user->setup.arguments[i].bytes, err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* Whether a second run changes nothing: then none does, since all that one begins with is there. */
static enum cb_status find_repeats(struct state *s, struct cb_coop *coop, struct cb_err *err)
{
    for (unsigned i = 0; i < s->user->setup.n_arguments; i++)
        if (s->buffers[i])
            memcpy(s->before[i], s->expected[i], s->user->setup.arguments[i].bytes);
    if (run_plainly(s, coop, 2, err) != CB_OK)
        return err->status;
    s->repeats = true;
    for (unsigned i = 0; i < s->user->setup.n_arguments; i++) {
        const struct cb_setup_argument *a = &s->user->setup.arguments[i];
        s->repeats &= !s->buffers[i] || differs_at(a, s->user->setup.tolerance, s->before[i],
                                                   s->expected[i]) == a->bytes / a->element.size;
    }
    return CB_OK;
}

/* Makes `expected` that of so many runs. */
static enum cb_status expect(struct state *s, unsigned runs, struct cb_err *err)
{
    const struct cb_coop_config config = {.path = s->user->kernel,
                                          .wg_size =
                                              cb_app_wg_size(&s->user->app, s->session->info.type),
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

static enum cb_status user_check(void *self, unsigned runs, struct cb_sample *sample,
                                 struct cb_err *err)
{
    struct state *s = self;
    unsigned char *found[CB_SETUP_ARGUMENTS] = {NULL};
    enum cb_status status = CB_OK;
    for (unsigned i = 0; i < s->user->setup.n_arguments && status == CB_OK; i++)
        status = read_buffer(s, i, &found[i], err);
    if (status == CB_OK && runs > 0)
        status = expect(s, runs, err);
    for (unsigned i = 0; i < CB_SETUP_ARGUMENTS; i++) {
        if (status == CB_OK && runs > 0 && found[i])
            check_buffer(s, i, found[i], sample);
        free(found[i]);
    }
    return status;
}

/* ---- The table of apps ----------------------------------------------------------------------- */

bool cb_user_app_is(const char *name)
{
    size_t n = strlen(name), ending = strlen(CB_SETUP_ENDING);
    return strchr(name, '/') || (n > ending && strcmp(name + n - ending, CB_SETUP_ENDING) == 0);
}

/* The kernel as the runtime takes it, kept among the carried files; its COOP_ARGS. */
static enum cb_status merge_kernel(struct user_app *u, char **parameters, bool *offers,
                                   struct cb_err *err)
{
    const struct cb_merge_source source = {u->setup.kernel, u->setup.kernel_name};
    size_t size = 0;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return cb_fail(err, CB_ERROR, "out of memory");
    enum cb_status status = cb_merge(&source, 1, out, err);
    if (fclose(out) != 0 && status == CB_OK)
        status = cb_fail(err, CB_ERROR, "out of memory");
    const char *begin = status == CB_OK ? strstr(text, "#define COOP_ARGS(X)") : NULL;
    const char *end = begin ? strstr(begin, "#include \"coop.clh\"") : NULL;
    if (status == CB_OK && !end)
        status = cb_fail(err, CB_USAGE,
                         "%s: no kernel with scheduling points: resizing_global_barrier() and its "
                         "like (coopbench merge --help)",
                         u->setup.kernel);
    *parameters = end ? strndup(begin, (size_t)(end - begin)) : NULL;
    *offers = status == CB_OK && strstr(text, "#define COOP_USES_OFFERS") != NULL;
    snprintf(u->kernel, sizeof u->kernel, "merged/%s.cl", u->setup.id);
    if (status == CB_OK)
        status = cb_source_keep(u->kernel, text, err);
    free(text);
    return status;
}

static enum cb_status load(struct user_app *u, const char *path, struct cb_err *err)
{
    char *parameters = NULL;
    bool offers = false;
    u->path = strdup(path);
    if (cb_setup_read(path, &u->setup, err) != CB_OK ||
        merge_kernel(u, &parameters, &offers, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_setup_read_arguments(path, &u->setup, parameters, err);
    free(parameters);
    u->app = (struct cb_app){.id = u->setup.id,
                             .summary = u->setup.summary,
                             .source = u->setup.kernel,
                             .kernel = u->kernel,
                             .inputs_help = "what the setup says",
                             .inputs = {{.name = "setup", .spec = {u->path, u->path, u->path}}},
                             .offers = offers,
                             .synthetic = true, /* only if it is named */
                             .gpu_wg_size = u->setup.gpu_wg_size,
                             .cpu_wg_size = u->setup.cpu_wg_size,
                             .open = user_open,
                             .args = user_args,
                             .clear = user_clear,
                             .check = user_check,
                             .close = user_close};
    return status;
}

static void forget(struct user_app *u)
{
    if (!u)
        return;
    cb_setup_free(&u->setup);
    free(u->path);
    free(u);
}

/* Worker processes are told by the environment. */
static void tell_workers(void)
{
    size_t size = 0;
    char *list = NULL;
    FILE *out = open_memstream(&list, &size);
    for (int i = 0; out && i < n_users; i++)
        fprintf(out, "%s\n", users[i]->path);
    if (out && fclose(out) == 0)
        setenv(APPS_VARIABLE, list, 1);
    free(list);
}

enum cb_status cb_user_app_add(const char *path, struct cb_err *err)
{
    if (user_of(path))
        return CB_OK;
    if (n_users == CB_USER_APPS)
        return cb_fail(err, CB_USAGE, "app: at most %d setups", CB_USER_APPS);
    struct user_app *u = calloc(1, sizeof *u);
    enum cb_status status = u ? load(u, path, err) : cb_fail(err, CB_ERROR, "out of memory");
    if (status == CB_OK && cb_app_find(u->setup.id))
        status = cb_fail(err, CB_USAGE, "%s: there is an app %s: give the file another name", path,
                         u->setup.id);
    if (status != CB_OK) {
        forget(u);
        return status;
    }
    users[n_users++] = u;
    cb_app_table_add(&u->app);
    tell_workers();
    return CB_OK;
}

void cb_user_apps_inherit(void)
{
    static bool done;
    struct cb_err ignored;
    char *list = done ? NULL : strdup(getenv(APPS_VARIABLE) ? getenv(APPS_VARIABLE) : "");
    done = true;
    for (char *rest = list, *path; rest && (path = strsep(&rest, "\n")) != NULL;)
        if (*path)
            cb_user_app_add(path, &ignored);
    free(list);
}
