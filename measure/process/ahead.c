/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/process/ahead.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/process/requests.h"
#include "measure/process/worker_process.h"
#include "runtime/host/signals.h"
#include "runtime/host/time.h"
#include "runtime/program_cache.h"
#include "runtime/source.h"
#include "runtime/version.h"

#define MAX_BUILDERS  64
#define BUILDER_BYTES 536870912u /* memory that a compiler, or a GPU's context, may take */
#define DEADLINE_S    60         /* time to build a set of kernels: some compilers hang */
#define LOOK_MS       200        /* between two looks whether the user interrupts */

static const struct cb_worker_limit limit = {DEADLINE_S, "building kernels ahead"};

/* Kernels that some cases need. */
struct set {
    const struct cb_case *c; /* the first of them */
    char *kernels;           /* cb_ahead_kernels_of() */
};

struct sets {
    struct set *items;
    int n;
};

struct builder {
    struct cb_worker_process process;
    const struct set *set; /* that it builds; NULL: it opens its session */
    uint64_t deadline_ns;
};

struct ahead {
    const struct cb_worker_settings *settings;
    const struct cb_device *device;
    const struct cb_ahead_observer *observer;
    struct sets sets;
    int next, done; /* sets that have been given out; that are finished */
    struct builder builders[MAX_BUILDERS];
    int n_builders;
};

/* ---- What is needed -------------------------------------------------------------------------- */

static void print_parameter(FILE *out, const cJSON *params, const char *name)
{
    char key[64];
    size_t length = strlen(name);
    bool only_presence = name[length - 1] == '?';
    snprintf(key, sizeof key, "%.*s", (int)length - only_presence, name);
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(params, key);
    char *text = value && !only_presence ? cJSON_PrintUnformatted(value) : NULL;
    fprintf(out, " %s=%s", key, text ? text : value ? "yes" : "no");
    free(text);
}

char *cb_ahead_kernels_of(const struct cb_case *c)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = c->bench->built_by ? open_memstream(&text, &size) : NULL;
    if (!out)
        return NULL;
    fputs(c->bench->id, out);
    for (const char *const *name = c->bench->built_by; *name; name++)
        print_parameter(out, c->params, *name);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* Under which a set is noted. */
static struct cb_cache_key key_of(const struct ahead *a, const struct set *set)
{
    char folder[64], about[256];
    cb_driver_cache_identity(a->device, folder, sizeof folder);
    snprintf(about, sizeof about, "%s %s %d %016" PRIx64 " %s %s %s", cb_version.version,
             cb_version.git_sha, cb_version.git_dirty, cb_source_digest(), a->settings->atomics,
             a->settings->clock, folder);
    return cb_program_key(a->device, set->kernels, about);
}

static bool is_noted(const struct ahead *a, const struct set *set)
{
    void *data;
    size_t size;
    bool found = cb_cache_get(key_of(a, set), &data, &size);
    free(data);
    return found;
}

static bool is_listed(const struct sets *sets, const char *kernels)
{
    for (int i = 0; i < sets->n; i++)
        if (strcmp(sets->items[i].kernels, kernels) == 0)
            return true;
    return false;
}

static void list_sets(struct ahead *a, const struct cb_plan *plan)
{
    a->sets.items = calloc((size_t)plan->count + 1, sizeof *a->sets.items);
    for (int i = 0; a->sets.items && i < plan->count; i++) {
        const struct cb_case *c = &plan->cases[i];
        bool runs = c->device == a->device && !c->kept;
        struct set set = {c, runs ? cb_ahead_kernels_of(c) : NULL};
        if (set.kernels && !is_listed(&a->sets, set.kernels) && !is_noted(a, &set))
            a->sets.items[a->sets.n++] = set;
        else
            free(set.kernels);
    }
}

static void free_sets(struct sets *sets)
{
    for (int i = 0; i < sets->n; i++)
        free(sets->items[i].kernels);
    free(sets->items);
}

/* ---- Builders -------------------------------------------------------------------------------- */

/* Those that this process may use. */
static int count_cores(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

static int least(int a, double b)
{
    return b < a ? (int)b : a;
}

/* Counts the builders: one a core, as far as half of the memory has room for them. */
static int count_builders(const struct ahead *a)
{
    int n = least(a->sets.n, count_cores());
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    n = least(n, memory / 2 / BUILDER_BYTES);
    if (strcmp(a->device->type, "gpu") == 0)
        n = least(n, (double)a->device->global_mem_bytes / 2 / BUILDER_BYTES);
    return least(n < 1 ? 1 : n, MAX_BUILDERS);
}

/* Sends a request; a process that does not take it has gone. */
static void request(struct builder *b, cJSON *message)
{
    struct cb_err ignored;
    b->deadline_ns = cb_now_ns() + (uint64_t)(DEADLINE_S * 1e9);
    cb_worker_send(&b->process, message, &limit, &ignored);
}

static void start(struct ahead *a, struct builder *b)
{
    struct cb_err ignored;
    b->set = NULL;
    if (cb_worker_spawn(&b->process, &ignored) == CB_OK)
        request(b, cb_session_request(a->settings, a->device, true));
}

/* The next set, or the end. All sets are one case to the worker, which closes the last by itself.
 */
static void give(struct ahead *a, struct builder *b)
{
    b->set = NULL;
    if (a->next == a->sets.n) {
        cb_worker_end(&b->process, CB_WORKER_TERM_GRACE_NS);
        return;
    }
    b->set = &a->sets.items[a->next++];
    request(b, cb_open_request("ahead", b->set->c->bench, 0, b->set->c->params));
}

/* Takes an answer, or the lack of one. */
static void take(struct ahead *a, struct builder *b)
{
    cJSON *answer;
    struct cb_err err = {0};
    uint64_t now = cb_now_ns();
    const struct cb_worker_limit left = {
        now < b->deadline_ns ? (double)(b->deadline_ns - now) / 1e9 : 0, limit.doing};
    enum cb_status status = cb_worker_receive(&b->process, &left, &answer, &err);
    cJSON_Delete(answer);
    if (status == CB_INTERRUPTED)
        return;
    if (b->set) {
        cb_cache_put(key_of(a, b->set), "", 0);
        a->observer->told(a->observer->self, ++a->done, a->sets.n);
    } else if (status != CB_OK && b->process.pid) { /* no session, no kernels */
        cb_worker_end(&b->process, CB_WORKER_TERM_GRACE_NS);
    }
    if (b->process.pid)
        give(a, b);
    else if (b->set && a->next < a->sets.n && b->process.losses < a->settings->max_kills)
        start(a, b);
}

/* Waits for a process that answers, or is late. Returns whether any works. */
static bool look(struct ahead *a)
{
    struct pollfd files[MAX_BUILDERS];
    bool any = false;
    for (int i = 0; i < a->n_builders; i++) {
        const struct cb_worker_process *p = &a->builders[i].process;
        files[i] = (struct pollfd){.fd = p->pid ? p->channel.in : -1, .events = POLLIN};
        any |= p->pid != 0;
    }
    if (!any || (poll(files, (nfds_t)a->n_builders, LOOK_MS) < 0 && errno != EINTR))
        return false;
    for (int i = 0; i < a->n_builders && !cb_caught_signal(); i++)
        if (files[i].fd >= 0 && (files[i].revents || cb_now_ns() >= a->builders[i].deadline_ns))
            take(a, &a->builders[i]);
    return true;
}

static void build(struct ahead *a)
{
    a->observer->told(a->observer->self, 0, a->sets.n);
    a->n_builders = count_builders(a);
    for (int i = 0; i < a->n_builders; i++)
        start(a, &a->builders[i]);
    while (!cb_caught_signal() && look(a))
        ;
    for (int i = 0; i < a->n_builders; i++)
        if (a->builders[i].process.pid)
            cb_worker_end(&a->builders[i].process, 0);
}

/* ---- All of it ------------------------------------------------------------------------------- */

void cb_build_ahead(const struct cb_worker_settings *settings, const struct cb_plan *plan,
                    const struct cb_devices *devices, const struct cb_ahead_observer *observer)
{
    if (getenv("COOPBENCH_NO_CACHE"))
        return;
    for (int i = 0; i < devices->count && !cb_caught_signal(); i++) {
        struct ahead a = {.settings = settings, .device = &devices->items[i], .observer = observer};
        list_sets(&a, plan);
        if (a.sets.n > 1)
            build(&a);
        free_sets(&a.sets);
    }
}
