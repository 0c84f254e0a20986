/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of a worker process: answers the parent's requests, one at a time.
 *
 *     {"op": "devices"}                -> {"status": "ok", "devices": [...], "trouble": TEXT}
 *     {"op": "others", "devices": [...]}   -> {"status": "ok", "others": [...]}
 *     {"op": "session", "device": ID, "atomics": ...}   -> {"status": "ok", "session": {...}}
 *     {"op": "open", "case": ID, "bench": ID, "batch": N, "params": {...}}   -> {"status": "ok"}
 *     {"op": "run", "case": ID}        -> {"status", "values", "notes", "inputs", "verified",
 *                                          "failure"}
 *     {"op": "close", "case": ID}                       -> {"status": "ok"}
 *     {"op": "look"}                                    -> {"status": "ok"}
 *     {"op": "beside", "work": ...}   -> {"status": "ok"}: a neighbour of our own begins, or ends
 *     {"op": "idle", "case": ID}      -> {"status": "ok"}: the case is run while nothing is asked
 *     {"op": "works"}                 -> {"status": "ok"}: neighbour and case do so still
 *
 * With "watched", the device's description, a session looks for neighbours, and answers have a
 * "look" (cb_look_to_json()) whenever one was due, that of "look" always.
 *
 * With "beside", a case that is opened or run has that neighbour of our own, and nobody looks for
 * gaps. "beside_gone": true: one in the worker has failed.
 *
 * "warnings": lines of compilers' logs that warn of users' kernels, since the last answer.
 *
 * Every answer that is not "ok" has a "reason". Some cases may be open at once. "stuck": true: the
 * device does not end a launch, and the process is to be killed. "gone": true: the process ends by
 * itself (cb_worker_last_words()).
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/process/others.h"
#include "measure/process/supervisor.h"
#include "measure/process/worker.h"
#include "measure/text/json.h"
#include "runtime/clock.h"
#include "runtime/compiler.h"
#include "runtime/drivers.h"
#include "runtime/host/hash.h"
#include "runtime/session.h"

/* Looks come between cases; between the runs of one only if these take long. */
#define LOOK_CASES_S 0.25
#define LOOK_RUNS_S  2

static enum cb_status do_devices(cJSON *answer, struct cb_err *err)
{
    struct cb_devices devices;
    enum cb_status status = cb_devices_enumerate(&devices, err);
    cJSON *list = cJSON_AddArrayToObject(answer, "devices");
    for (int i = 0; i < devices.count; i++)
        cJSON_AddItemToArray(list, cb_device_to_json(&devices.items[i]));
    devices.trouble = status == CB_OK ? cb_drivers_trouble(devices.count > 0) : NULL;
    if (devices.trouble)
        cJSON_AddStringToObject(answer, "trouble", devices.trouble);
    cb_devices_free(&devices);
    return status;
}

/* 0: what suits the device, also in place of what is none. */
static uint64_t deadline_of(const cJSON *request)
{
    const double ns = cb_json_number(request, "wait_deadline_ns");
    return ns >= 0 && ns < 0x1p64 ? (uint64_t)ns : 0;
}

/* Looks for neighbours; what was seen goes into the answer. A look that fails says nothing: what
 * was asked for tells what is wrong with the device. */
static void look(struct cb_worker *w, cJSON *answer)
{
    struct cb_look seen;
    struct cb_err ignored = {0};
    if (w->neighbours && !w->session.stuck &&
        cb_neighbours_look(w->neighbours, &seen, &ignored) == CB_OK)
        cJSON_AddItemToObject(answer, "look", cb_look_to_json(&seen));
}

/* Looks, if the last time is at least so long ago. */
static void look_if_due(struct cb_worker *w, double least_s, cJSON *answer)
{
    if (w->neighbours && cb_neighbours_is_due(w->neighbours, least_s))
        look(w, answer);
}

static enum cb_status open_session(struct cb_worker *w, const char *device,
                                   const struct cb_session_options *options, struct cb_err *err)
{
    if (cb_session_open(&w->session, device, options, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_clock_open(&w->session, err);
    if (status != CB_OK)
        cb_session_close(&w->session);
    else if (w->neighbours)
        cb_neighbours_attach(w->neighbours, &w->session);
    return status;
}

static enum cb_status do_session(struct cb_worker *w, const cJSON *request, cJSON *answer,
                                 struct cb_err *err)
{
    struct cb_session_options options = {
        .atomics = cb_json_text(request, "atomics", ""),
        .clock = cb_json_text(request, "clock", ""),
        .defines = cb_json_text(request, "defines", ""),
        .wait_deadline_ns = deadline_of(request),
        .rehearsal = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(request, "rehearsal")),
    };
    const cJSON *watched = cJSON_GetObjectItemCaseSensitive(request, "watched");
    struct cb_device device;
    if (watched) {
        cb_device_from_json(&device, watched);
        if (cb_neighbours_open(&device, &w->neighbours, err) != CB_OK)
            return err->status;
    }
    if (open_session(w, cb_json_text(request, "device", ""), &options, err) != CB_OK)
        return err->status;
    look(w, answer);
    w->cases.session = &w->session;
    cJSON *session = cJSON_AddObjectToObject(answer, "session");
    cJSON_AddStringToObject(session, "atomics", w->session.info.atomics);
    cJSON_AddStringToObject(session, "clock", w->session.info.clock);
    if (w->session.ns_per_tick > 0) {
        cJSON_AddNumberToObject(session, "ns_per_tick", w->session.ns_per_tick);
        cJSON_AddNumberToObject(session, "clock_resolution_ns", w->session.clock_resolution_ns);
    }
    return CB_OK;
}

static const char *case_of(const cJSON *request)
{
    return cb_json_text(request, "case", "");
}

/* Takes to what the case is beside. */
static void note_neighbour(struct cb_worker *w, const cJSON *request)
{
    const char *what = cb_json_text(request, "beside", "");
    w->session.neighbour = *what ? cb_hash(CB_HASH_START, what, strlen(what)) : 0;
    if (w->neighbours)
        cb_neighbours_share(w->neighbours, *what);
}

/* A neighbour that has failed is gone: an error of the case, unless the case has one of its own. In
 * a stuck session it would be waited for in vain. */
static enum cb_status keep_neighbour(struct cb_worker *w, const cJSON *request,
                                     enum cb_status of_case, cJSON *answer, struct cb_err *err)
{
    struct cb_err gone = {0};
    if (w->session.stuck || cb_beside_keep(&w->beside, &gone) == CB_OK)
        return of_case;
    cJSON_AddTrueToObject(answer, "beside_gone");
    if (of_case != CB_OK)
        return of_case;
    *err = gone;
    return cb_context(err, "the neighbour (--beside %s)", cb_json_text(request, "beside", ""));
}

static enum cb_status do_open(struct cb_worker *w, const cJSON *request, cJSON *answer,
                              struct cb_err *err)
{
    const struct cb_bench *bench = cb_bench_find(cb_json_text(request, "bench", ""));
    const cJSON *batch = cJSON_GetObjectItemCaseSensitive(request, "batch");
    if (!bench)
        return cb_fail(err, CB_ERROR, "worker: bad request to open a case");
    note_neighbour(w, request);
    look_if_due(w, LOOK_CASES_S, answer);
    enum cb_status status =
        cb_cases_open(&w->cases, case_of(request), bench, batch ? batch->valueint : 0,
                      cJSON_GetObjectItemCaseSensitive(request, "params"), err);
    return keep_neighbour(w, request, status, answer, err);
}

static enum cb_status do_run(struct cb_worker *w, const cJSON *request, cJSON *answer,
                             struct cb_err *err)
{
    struct cb_sample sample = {.values = cJSON_AddObjectToObject(answer, "values")};
    note_neighbour(w, request);
    enum cb_status status = cb_cases_run(&w->cases, case_of(request), &sample, err);
    if (sample.notes)
        cJSON_AddItemToObject(answer, "notes", sample.notes);
    if (sample.inputs)
        cJSON_AddItemToObject(answer, "inputs", sample.inputs);
    cJSON_AddBoolToObject(answer, "verified", sample.verified);
    cJSON_AddStringToObject(answer, "failure", sample.failure);
    look_if_due(w, LOOK_RUNS_S, answer);
    return keep_neighbour(w, request, status, answer, err);
}

static enum cb_status do_beside(struct cb_worker *w, const cJSON *request, struct cb_err *err)
{
    cb_beside_thread_stop(w->beside);
    w->beside = NULL;
    return cb_beside_begin(&w->session, request, &w->beside, err);
}

static enum cb_status do_idle(struct cb_worker *w, const cJSON *request, struct cb_err *err)
{
    struct cb_sample sample = {.values = cJSON_CreateObject()};
    free(w->idle);
    w->idle = strdup(case_of(request));
    if (!w->idle)
        return cb_no_memory(err);
    enum cb_status status = cb_cases_run(&w->cases, w->idle, &sample, err);
    cb_sample_free(&sample);
    return status;
}

/* Runs the idle case until a request comes. The next "works" tells what has ended it. */
static void idle(struct cb_worker *w, const struct cb_channel *channel)
{
    struct pollfd asked = {.fd = channel->in, .events = POLLIN};
    while (w->idle && w->idle_failure.status == CB_OK && poll(&asked, 1, 0) == 0) {
        struct cb_sample sample = {.values = cJSON_CreateObject()};
        cb_cases_run(&w->cases, w->idle, &sample, &w->idle_failure);
        cb_sample_free(&sample);
    }
}

static enum cb_status do_works(struct cb_worker *w, struct cb_err *err)
{
    if (w->idle_failure.status != CB_OK)
        *err = w->idle_failure;
    return err->status == CB_OK ? cb_beside_keep(&w->beside, err) : err->status;
}

static enum cb_status serve(struct cb_worker *w, const cJSON *request, cJSON *answer,
                            struct cb_err *err)
{
    const char *op = cb_json_text(request, "op", "");
    if (strcmp(op, "devices") == 0)
        return do_devices(answer, err);
    if (strcmp(op, "others") == 0) {
        cb_others_answer(request, answer);
        return CB_OK;
    }
    if (strcmp(op, "session") == 0)
        return do_session(w, request, answer, err);
    if (strcmp(op, "open") == 0)
        return do_open(w, request, answer, err);
    if (strcmp(op, "run") == 0)
        return do_run(w, request, answer, err);
    if (strcmp(op, "close") == 0) {
        cb_cases_close(&w->cases, case_of(request));
        return CB_OK;
    }
    if (strcmp(op, "look") == 0) {
        look(w, answer);
        return CB_OK;
    }
    if (strcmp(op, "beside") == 0)
        return do_beside(w, request, err);
    if (strcmp(op, "idle") == 0)
        return do_idle(w, request, err);
    if (strcmp(op, "works") == 0)
        return do_works(w, err);
    return cb_fail(err, CB_ERROR, "worker: unknown request '%s'", op);
}

static cJSON *warnings; /* since the last answer; NULL: none */

static void note_warning(const char *line)
{
    warnings = warnings ? warnings : cJSON_CreateArray();
    cJSON_AddItemToArray(warnings, cJSON_CreateString(line));
}

void cb_worker_serve(struct cb_worker *w, struct cb_channel *channel)
{
    cJSON *request;
    while (cb_channel_receive(channel, 0, NULL, &request) == CB_CHANNEL_OK) {
        struct cb_err err = {0};
        cJSON *answer = cJSON_CreateObject();
        enum cb_status status = serve(w, request, answer, &err);
        cJSON_AddStringToObject(answer, "status", cb_status_name(status));
        if (status != CB_OK)
            cJSON_AddStringToObject(answer, "reason", err.text);
        if (w->session.stuck)
            cJSON_AddTrueToObject(answer, "stuck");
        if (warnings)
            cJSON_AddItemToObject(answer, "warnings", warnings);
        warnings = NULL;
        enum cb_channel_status sent = cb_channel_send(channel, answer);
        cJSON_Delete(answer);
        cJSON_Delete(request);
        if (sent != CB_CHANNEL_OK)
            break;
        idle(w, channel);
    }
}

static int answers_to = -1; /* this process's requests; -1: it is no worker */

void cb_worker_last_words(const char *reason)
{
    char line[1024];
    size_t n = (size_t)snprintf(line, sizeof line, "{\"status\":\"%s\",\"gone\":true,\"reason\":\"",
                                cb_status_name(CB_VERIFY_FAILED));
    for (; *reason && n < sizeof line - 8; reason++) {
        if (*reason == '"' || *reason == '\\')
            line[n++] = '\\';
        line[n++] = *reason;
    }
    line[n++] = '"';
    line[n++] = '}';
    line[n++] = '\n';
    if (answers_to >= 0 && write(answers_to, line, n) == (ssize_t)n)
        _exit(1);
}

void cb_worker_answers_to(int file)
{
    answers_to = file;
}

int cb_worker_main(int in, int out)
{
    answers_to = out;
    cb_compiler_tells(note_warning);
    signal(SIGINT,
           SIG_IGN); /* Ctrl-C and a lost terminal reach the whole group; the parent decides */
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    struct cb_channel channel = {.in = in, .out = out};
    struct cb_worker w = {0};
    cb_worker_serve(&w, &channel);
    /* Nothing is released: drivers have been seen to hang in that. PoCL without its cache of
     * kernels would delete files that another worker is about to load. */
    _exit(0);
}
