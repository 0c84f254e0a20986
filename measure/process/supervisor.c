/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/process/supervisor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/process/beside.h"
#include "measure/process/deadline.h"
#include "measure/process/requests.h"
#include "measure/process/worker_process.h"
#include "measure/text/json.h"
#include "runtime/drivers.h"
#include "runtime/host/signals.h"
#include "runtime/host/time.h"

#define LOOK_AGAIN_NS   1e9
#define OPEN_DEADLINE_S 120 /* at least: some compilers hang, a cold cache takes time */

static const struct cb_worker_limit devices_limit = {60, "looking for devices"};
static const struct cb_worker_limit session_limit = {60, "opening the device"};
static const struct cb_worker_limit close_limit = {10, "releasing the case"};
static const struct cb_worker_limit look_limit = {10, "looking for neighbours"};

/* A case that is open, with what it takes to open it again. */
struct open_case {
    struct open_case *next;
    const struct cb_case *c;
    cJSON *params;
    unsigned process; /* that has it, or had it: worker_process.spawned */
};

/* The worker of one device. */
struct worker {
    const struct cb_device *device;
    struct cb_worker_process process;
    struct open_case *cases;
    struct cb_known_runs known;
    cJSON *session;
    bool disturbed;                  /* at the last look another program used the device */
    uint64_t looked_ns;              /* host's clock: that look */
    double waited_s;                 /* for a quiet one, so far */
    struct cb_beside_process beside; /* a neighbour of our own */
    const cJSON *queue;              /* spec of one that is in the worker; NULL: none */
    unsigned queue_process;          /* in which: worker_process.spawned */
    struct worker *next;
};

struct cb_supervisor {
    struct cb_worker_settings settings;
    struct worker *workers;
};

/* ---- Workers --------------------------------------------------------------------------------- */

/* A request to the device's worker. What it has seen of neighbours goes to who watches. */
static enum cb_status request(struct cb_supervisor *s, struct worker *w, cJSON *message,
                              const struct cb_worker_limit *limit, cJSON **answer,
                              struct cb_err *err)
{
    const struct cb_worker_watch *watch = s->settings.watch;
    enum cb_status status = cb_worker_request(&w->process, message, limit, answer, err);
    const cJSON *look = cJSON_GetObjectItemCaseSensitive(*answer, "look");
    if (look) {
        w->disturbed = cJSON_HasObjectItem(look, "sign");
        w->looked_ns = cb_now_ns();
    }
    if (look && watch)
        watch->looked(watch->self, w->device, look);
    if (cJSON_HasObjectItem(*answer, "beside_gone"))
        w->queue = NULL;
    return status;
}

static enum cb_status open_session(struct cb_supervisor *s, struct worker *w, struct cb_err *err)
{
    cJSON *m = cb_session_request(&s->settings, w->device, false), *answer;
    if (s->settings.watch && s->settings.shared != CB_SHARED_IGNORE)
        cJSON_AddItemToObject(m, "watched", cb_device_to_json(w->device));
    enum cb_status status = request(s, w, m, &session_limit, &answer, err);
    if (status == CB_OK) {
        cJSON_Delete(w->session);
        w->session = cJSON_DetachItemFromObjectCaseSensitive(answer, "session");
    }
    cJSON_Delete(answer);
    return status;
}

static struct worker *worker_of(struct cb_supervisor *s, const struct cb_device *device)
{
    for (struct worker *w = s->workers; w; w = w->next)
        if (w->device == device)
            return w;
    struct worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    *w = (struct worker){.device = device,
                         .process.channel = {.in = -1, .out = -1},
                         .beside.process.channel = {.in = -1, .out = -1},
                         .next = s->workers};
    s->workers = w;
    return w;
}

/* Makes sure that the device has a worker with an open session. */
static enum cb_status ensure_worker(struct cb_supervisor *s, struct worker *w, struct cb_err *err)
{
    if (!w)
        return cb_no_memory(err);
    if (w->process.pid)
        return CB_OK;
    if (w->process.lost)
        return cb_fail(err, CB_SKIPPED, "the device is lost: its worker process cannot be killed");
    if (w->process.losses >= s->settings.max_kills)
        return cb_fail(err, CB_SKIPPED, "the device has lost %u worker processes (--max-kills)",
                       w->process.losses);
    if (cb_worker_spawn(&w->process, err) != CB_OK)
        return err->status;
    enum cb_status status = open_session(s, w, err);
    if (status != CB_OK && w->process.pid)
        cb_worker_end(&w->process, 0);
    return status;
}

/* ---- Executor -------------------------------------------------------------------------------- */

/* Where the case hangs in the list, or the list's end. */
static struct open_case **find_case(struct worker *w, const struct cb_case *c)
{
    struct open_case **o = &w->cases;
    while (*o && (*o)->c != c)
        o = &(*o)->next;
    return o;
}

/* With the process that had it. */
static bool is_lost(const struct worker *w, const struct open_case *o)
{
    return !w->process.pid || o->process != w->process.spawned;
}

/* A group without a batch is one: its cases are open together. */
static int batch_of(const struct cb_case *c)
{
    return c->batch ? c->batch : -c->group;
}

static void look(struct cb_supervisor *s, struct worker *w)
{
    cJSON *answer;
    struct cb_err ignored;
    request(s, w, cb_request("look"), &look_limit, &answer, &ignored);
    cJSON_Delete(answer);
}

/* Waits until nobody else uses the device, if that is wished for and somebody does. CB_SKIPPED:
 * somebody still does, or it is not to be waited for. */
static enum cb_status heed_neighbours(struct cb_supervisor *s, struct worker *w,
                                      const struct cb_case *c, struct cb_err *err)
{
    const struct cb_worker_limit limit = {s->settings.shared_deadline_s,
                                          "waiting for a quiet device (--shared-deadline)", c->id};
    const struct cb_worker_watch *watch = s->settings.watch;
    if (s->settings.shared == CB_SHARED_WARN || s->settings.shared == CB_SHARED_IGNORE)
        return CB_OK;
    if (w->disturbed && (double)(cb_now_ns() - w->looked_ns) >= LOOK_AGAIN_NS)
        look(s, w);
    while (w->disturbed && w->process.pid && s->settings.shared == CB_SHARED_WAIT &&
           w->waited_s < limit.deadline_s && !cb_caught_signal()) {
        const uint64_t begin_ns = cb_now_ns();
        cb_sleep_until_ns((double)begin_ns + LOOK_AGAIN_NS);
        look(s, w);
        w->waited_s += (double)(cb_now_ns() - begin_ns) / 1e9;
        if (watch)
            watch->waits(watch->self, &limit, w->waited_s);
    }
    if (!w->disturbed)
        return CB_OK;
    return cb_fail(err, CB_SKIPPED, "another program uses the device (--shared %s)",
                   s->settings.shared == CB_SHARED_WAIT ? "wait: longer than --shared-deadline"
                                                        : "refuse");
}

/* Has the worker begin what the spec says in a queue of its own, or end it (NULL). */
static enum cb_status set_queue(struct cb_supervisor *s, struct worker *w, const cJSON *spec,
                                struct cb_err *err)
{
    const struct cb_worker_limit limit = {OPEN_DEADLINE_S, "keeping the device busy (--beside)"};
    const cJSON *had = w->queue_process == w->process.spawned ? w->queue : NULL, *messages;
    cJSON *answer, *m;
    if (had == spec)
        return CB_OK;
    messages = cJSON_GetObjectItemCaseSensitive(spec, "messages");
    m = spec ? cJSON_Duplicate(messages->child, true) : cb_request("beside");
    if (!spec)
        cJSON_AddStringToObject(m, "work", "none");
    enum cb_status status = request(s, w, m, &limit, &answer, err);
    cJSON_Delete(answer);
    w->queue = status == CB_OK ? spec : NULL;
    w->queue_process = w->process.spawned;
    return status == CB_OK ? CB_OK
                           : cb_context(err, "the neighbour (--beside %s)", cb_beside_what(spec));
}

/* Makes sure that the device has the neighbour beside it that the case asks for, and no other. */
static enum cb_status ensure_beside(struct cb_supervisor *s, struct worker *w,
                                    const struct cb_case *c, struct cb_err *err)
{
    const bool queue = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c->beside, "queue"));
    if (!c->beside || queue)
        cb_beside_process_end(&w->beside);
    enum cb_status status = set_queue(s, w, queue ? c->beside : NULL, err);
    if (status != CB_OK || !c->beside || queue)
        return status;
    return cb_beside_process_start(&w->beside, c->beside,
                                   cb_session_request(&s->settings, w->device, false), err);
}

/* A neighbour's process that has failed is gone: an error of the case, unless it has its own. */
static enum cb_status keep_neighbour(struct worker *w, enum cb_status of_case, struct cb_err *err)
{
    struct cb_err gone = {0};
    if (cb_beside_process_check(&w->beside, &gone) == CB_OK || of_case != CB_OK)
        return of_case;
    *err = gone;
    return err->status;
}

static enum cb_status open_in_worker(struct cb_supervisor *s, struct worker *w, struct open_case *o,
                                     struct cb_err *err)
{
    if (ensure_worker(s, w, err) != CB_OK || heed_neighbours(s, w, o->c, err) != CB_OK ||
        ensure_worker(s, w, err) != CB_OK || /* that may have been lost meanwhile */
        ensure_beside(s, w, o->c, err) != CB_OK)
        return err->status;
    cJSON *m = cb_open_request(o->c->id, o->c->bench, batch_of(o->c), o->params), *answer;
    cJSON_AddStringToObject(m, "beside", cb_beside_what(o->c->beside));
    const struct cb_worker_limit limit = {fmax(OPEN_DEADLINE_S, o->c->run_deadline_s), "compiling",
                                          o->c->id, s->settings.watch};
    o->process = w->process.spawned;
    enum cb_status status = request(s, w, m, &limit, &answer, err);
    cJSON_Delete(answer);
    return keep_neighbour(w, status, err);
}

/* Others that use the device meanwhile disturb nothing. */
static enum cb_status execute_await(void *self, const struct cb_case *c, struct cb_err *err)
{
    struct cb_supervisor *s = self;
    struct worker *w = worker_of(s, c->device);
    return ensure_worker(s, w, err) == CB_OK ? heed_neighbours(s, w, c, err) : err->status;
}

static enum cb_status execute_open(void *self, const struct cb_case *c, const cJSON *params,
                                   struct cb_err *err)
{
    struct cb_supervisor *s = self;
    struct worker *w = worker_of(s, c->device);
    struct open_case *o = calloc(1, sizeof *o);
    if (!w || !o) {
        free(o);
        return cb_no_memory(err);
    }
    *o = (struct open_case){w->cases, c, cJSON_Duplicate(params, true), 0};
    w->cases = o;
    return open_in_worker(s, w, o, err);
}

/* A case whose process was lost while another case of its group ran is opened again. */
static enum cb_status execute_run(void *self, const struct cb_case *c, struct cb_sample *sample,
                                  struct cb_err *err)
{
    struct cb_supervisor *s = self;
    struct worker *w = worker_of(s, c->device);
    struct open_case *o = w ? *find_case(w, c) : NULL;
    if (!o)
        return cb_fail(err, CB_ERROR, "the case is not open");
    if ((is_lost(w, o) && open_in_worker(s, w, o, err) != CB_OK) ||
        ensure_beside(s, w, c, err) != CB_OK)
        return err->status;
    cJSON *m = cb_case_request("run", c->id), *answer;
    cJSON_AddStringToObject(m, "beside", cb_beside_what(c->beside));
    const struct cb_worker_limit limit = {cb_known_runs_deadline(&w->known, c),
                                          "running (--run-deadline)", c->id, s->settings.watch};
    const uint64_t begin_ns = cb_now_ns();
    enum cb_status status = request(s, w, m, &limit, &answer, err);
    const double took_s = (double)(cb_now_ns() - begin_ns) / 1e9;
    if (answer)
        cb_known_runs_ended(&w->known, c, took_s);
    else if (status == CB_TIMEOUT)
        cb_known_runs_lost(&w->known, c, limit.deadline_s);
    cb_sample_take(sample, answer);
    cJSON_Delete(answer);
    return keep_neighbour(w, status, err);
}

static void execute_close(void *self, const struct cb_case *c)
{
    struct cb_supervisor *s = self;
    struct worker *w = worker_of(s, c->device);
    struct open_case **place = w ? find_case(w, c) : NULL, *o = place ? *place : NULL;
    if (!o)
        return;
    *place = o->next;
    if (!is_lost(w, o)) {
        cJSON *answer;
        struct cb_err err;
        cb_worker_request(&w->process, cb_case_request("close", c->id), &close_limit, &answer,
                          &err);
        cJSON_Delete(answer);
    }
    cJSON_Delete(o->params);
    free(o);
}

static uint64_t execute_now(void *self)
{
    (void)self;
    return cb_now_ns();
}

static bool execute_interrupted(void *self)
{
    (void)self;
    return cb_caught_signal() != 0;
}

struct cb_executor cb_supervisor_executor(struct cb_supervisor *supervisor)
{
    return (struct cb_executor){
        .self = supervisor,
        .await = execute_await,
        .open = execute_open,
        .run = execute_run,
        .close = execute_close,
        .now_ns = execute_now,
        .interrupted = execute_interrupted,
    };
}

void cb_supervisor_look(struct cb_supervisor *s)
{
    for (struct worker *w = s->workers; w; w = w->next)
        if (w->process.pid)
            look(s, w);
}

/* ---- The rest -------------------------------------------------------------------------------- */

struct cb_supervisor *cb_supervisor_new(const struct cb_worker_settings *settings)
{
    struct cb_supervisor *s = calloc(1, sizeof *s);
    if (s) {
        s->settings = *settings;
        cb_drivers_set_cpu_workgroups(settings->cpu_workgroups);
    }
    return s;
}

void cb_supervisor_set_watch(struct cb_supervisor *s, const struct cb_worker_watch *watch)
{
    s->settings.watch = watch;
}

void cb_supervisor_free(struct cb_supervisor *s)
{
    for (struct worker *next, *w = s ? s->workers : NULL; w; w = next) {
        next = w->next;
        cb_beside_process_end(&w->beside);
        if (w->process.pid)
            cb_worker_end(&w->process, CB_WORKER_TERM_GRACE_NS);
        cJSON_Delete(w->session);
        free(w);
    }
    free(s);
}

#define ONE_DRIVER                                                                                 \
    "A driver fails. To find which, copy the .icd files of /etc/OpenCL/vendors to a folder, one "  \
    "after the other:\n  OCL_ICD_VENDORS=FOLDER coopbench list devices"

/* What the limits of the process have to do with it, or else which way to go on. */
static enum cb_status cannot_look(bool asked, struct cb_err *err)
{
    char *limits = cb_drivers_limits();
    const char *hint = limits ? limits : asked && err->status != CB_INTERRUPTED ? ONE_DRIVER : NULL;
    cb_context(err, "while looking for devices");
    size_t used = strlen(err->text);
    if (hint)
        snprintf(err->text + used, sizeof err->text - used, "\n  %s", hint);
    free(limits);
    return err->status;
}

const struct cb_worker_settings *cb_supervisor_settings(const struct cb_supervisor *s)
{
    return &s->settings;
}

enum cb_status cb_supervisor_devices(struct cb_supervisor *s, struct cb_devices *out,
                                     struct cb_err *err)
{
    (void)s; /* its creation has set the environment that decides what PoCL's device is */
    *out = (struct cb_devices){0};
    struct cb_worker_process worker = {.channel = {.in = -1, .out = -1}};
    if (cb_worker_spawn(&worker, err) != CB_OK)
        return cannot_look(false, err);
    cJSON *answer;
    enum cb_status status =
        cb_worker_request(&worker, cb_request("devices"), &devices_limit, &answer, err);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(answer, "devices"), *item;
    if (status == CB_OK && cJSON_GetArraySize(list) > 0) {
        out->items = calloc((size_t)cJSON_GetArraySize(list), sizeof *out->items);
        cJSON_ArrayForEach (item, list)
            if (out->items)
                cb_device_from_json(&out->items[out->count++], item);
    }
    const char *trouble = cb_json_text(answer, "trouble", NULL);
    if (status == CB_OK && trouble)
        out->trouble = strdup(trouble);
    cJSON_Delete(answer);
    if (worker.pid)
        cb_worker_end(&worker, CB_WORKER_TERM_GRACE_NS);
    return status == CB_OK ? CB_OK : cannot_look(true, err);
}

const cJSON *cb_supervisor_session(const struct cb_supervisor *s, const struct cb_device *device)
{
    for (const struct worker *w = s->workers; w; w = w->next)
        if (w->device == device)
            return w->session;
    return NULL;
}
