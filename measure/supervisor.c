/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/channel.h"
#include "measure/json.h"
#include "measure/signals.h"
#include "runtime/process.h"
#include "runtime/time.h"

#define WORKER_IN              3 /* the worker's file descriptors */
#define WORKER_OUT             4
#define DEFAULT_CPU_WORKGROUPS 8
#define TERM_GRACE_NS          2000000000u
#define KILL_GRACE_NS          5000000000u
#define OPEN_DEADLINE_S        120 /* at least: some compilers hang, a cold cache takes time */

/* How long a request may take, and what the worker does meanwhile. */
struct limit {
    double deadline_s;
    const char *doing;
};

static const struct limit devices_limit = {60, "looking for devices"};
static const struct limit session_limit = {60, "opening the device"};
static const struct limit close_limit = {10, "releasing the case"};

/* A case that is open, with what it takes to open it again. */
struct open_case {
    struct open_case *next;
    const struct cb_case *c;
    cJSON *params;
    bool lost; /* with the process that had it */
};

/* The worker of one device; pid 0: none is running. */
struct worker {
    const struct cb_device *device;
    pid_t pid;
    struct open_case *cases;
    struct cb_channel channel;
    unsigned losses;
    bool lost; /* a process that not even SIGKILL ended: the device is given up */
    cJSON *session;
    struct worker *next;
};

struct cb_supervisor {
    struct cb_worker_settings settings;
    struct worker *workers;
};

/* ---- Processes ------------------------------------------------------------------------------- */

/* In the child: nothing but system calls until exec. */
static void become_worker(int in, int out)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int quiet = open("/dev/null", O_RDONLY);
    /* the pipes may themselves be 3 or 4: go through higher numbers */
    int high_in = fcntl(in, F_DUPFD, 10), high_out = fcntl(out, F_DUPFD, 10);
    dup2(high_in, WORKER_IN);
    dup2(high_out, WORKER_OUT);
    dup2(quiet, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO); /* drivers that print must not end up in the results */
    close(high_in);
    close(high_out);
    execl("/proc/self/exe", "coopbench", "worker", (char *)NULL);
    _exit(127);
}

static enum cb_status spawn(struct worker *w, struct cb_err *err)
{
    int to_worker[2], from_worker[2];
    if (pipe2(to_worker, O_CLOEXEC) != 0)
        return cb_fail(err, CB_ERROR, "pipe: %s", strerror(errno));
    if (pipe2(from_worker, O_CLOEXEC) != 0) {
        close(to_worker[0]);
        close(to_worker[1]);
        return cb_fail(err, CB_ERROR, "pipe: %s", strerror(errno));
    }
    pid_t pid = fork();
    if (pid == 0)
        become_worker(to_worker[0], from_worker[1]);
    close(to_worker[0]);
    close(from_worker[1]);
    w->channel = (struct cb_channel){.in = from_worker[0], .out = to_worker[1]};
    if (pid < 0) {
        cb_channel_close(&w->channel);
        return cb_fail(err, CB_ERROR, "fork: %s", strerror(errno));
    }
    w->pid = pid;
    return CB_OK;
}

static bool reap(pid_t pid, uint64_t grace_ns, int *status)
{
    return cb_process_wait(pid, cb_now_ns() + grace_ns, status);
}

/* Ends the worker's process, gently first; its exit status in *status. */
static void end_process(struct worker *w, uint64_t patience_ns, int *status)
{
    cb_channel_close(&w->channel); /* an idle worker ends by itself */
    if (w->pid && !reap(w->pid, patience_ns, status)) {
        kill(w->pid, SIGTERM);
        if (!reap(w->pid, TERM_GRACE_NS, status)) {
            kill(w->pid, SIGKILL);
            /* a process can sit in the kernel, deaf to SIGKILL: never wait without limit */
            w->lost = !reap(w->pid, KILL_GRACE_NS, status);
        }
    }
    w->pid = 0;
}

static void describe_death(int status, struct cb_err *err)
{
    if (WIFSIGNALED(status))
        cb_fail(err, CB_CRASHED, "the worker process died of signal %d (%s)", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    else
        cb_fail(err, CB_CRASHED, "the worker process ended unexpectedly with exit code %d",
                WEXITSTATUS(status));
}

/* Buries a worker that broke off or has to go; err tells why. */
static enum cb_status lose(struct worker *w, enum cb_channel_status why, const struct limit *limit,
                           struct cb_err *err)
{
    int status = 0;
    end_process(w, why == CB_CHANNEL_CLOSED ? KILL_GRACE_NS : 0, &status);
    for (struct open_case *o = w->cases; o; o = o->next)
        o->lost = true;
    if (why == CB_CHANNEL_INTERRUPTED)
        return cb_fail(err, CB_INTERRUPTED, "interrupted");
    w->losses++;
    if (why == CB_CHANNEL_CLOSED)
        describe_death(status, err);
    else
        cb_fail(err, CB_TIMEOUT,
                "the worker process gave no answer within %.3g s while %s: it was killed",
                limit->deadline_s, limit->doing);
    return err->status;
}

/* ---- Requests -------------------------------------------------------------------------------- */

static enum cb_status status_of(const cJSON *answer, struct cb_err *err)
{
    enum cb_status status = cb_status_from_name(cb_json_text(answer, "status", NULL));
    if (status > CB_INTERRUPTED) /* a device that has gone, say: not a status of a row */
        status = CB_ERROR;
    return status == CB_OK
               ? CB_OK
               : cb_fail(err, status, "%s", cb_json_text(answer, "reason", "no reason given"));
}

/* Sends a request (and deletes it) and waits for the answer, the caller's to delete; NULL if none
 * came. */
static enum cb_status request(struct worker *w, cJSON *message, const struct limit *limit,
                              cJSON **answer, struct cb_err *err)
{
    *answer = NULL;
    enum cb_channel_status sent = cb_channel_send(&w->channel, message);
    cJSON_Delete(message);
    if (sent == CB_CHANNEL_OK)
        sent = cb_channel_receive(&w->channel, cb_now_ns() + (uint64_t)(limit->deadline_s * 1e9),
                                  cb_caught_signal, answer);
    if (sent != CB_CHANNEL_OK)
        return lose(w, sent, limit, err);
    return status_of(*answer, err);
}

static cJSON *new_message(const char *op)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "op", op);
    return object;
}

static enum cb_status open_session(struct cb_supervisor *s, struct worker *w, struct cb_err *err)
{
    cJSON *m = new_message("session"), *answer;
    cJSON_AddStringToObject(m, "device", w->device->id);
    cJSON_AddStringToObject(m, "atomics", s->settings.atomics);
    cJSON_AddStringToObject(m, "clock", s->settings.clock);
    cJSON_AddNumberToObject(m, "wait_deadline_ns", (double)s->settings.wait_deadline_ns);
    enum cb_status status = request(w, m, &session_limit, &answer, err);
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
    *w = (struct worker){.device = device, .channel = {.in = -1, .out = -1}, .next = s->workers};
    s->workers = w;
    return w;
}

/* Makes sure that the device has a worker with an open session. */
static enum cb_status ensure_worker(struct cb_supervisor *s, struct worker *w, struct cb_err *err)
{
    if (!w)
        return cb_fail(err, CB_ERROR, "out of memory");
    if (w->pid)
        return CB_OK;
    if (w->lost)
        return cb_fail(err, CB_SKIPPED, "the device is lost: its worker process cannot be killed");
    if (w->losses >= s->settings.max_kills)
        return cb_fail(err, CB_SKIPPED, "the device has lost %u worker processes (--max-kills)",
                       w->losses);
    if (spawn(w, err) != CB_OK)
        return err->status;
    enum cb_status status = open_session(s, w, err);
    if (status != CB_OK && w->pid) {
        int exit_status;
        end_process(w, 0, &exit_status);
    }
    return status;
}

/* ---- Executor -------------------------------------------------------------------------------- */

static cJSON *new_case_message(const char *op, const struct cb_case *c)
{
    cJSON *m = new_message(op);
    cJSON_AddStringToObject(m, "case", c->id);
    return m;
}

/* Where the case hangs in the list, or the list's end. */
static struct open_case **find_case(struct worker *w, const struct cb_case *c)
{
    struct open_case **o = &w->cases;
    while (*o && (*o)->c != c)
        o = &(*o)->next;
    return o;
}

static enum cb_status open_in_worker(struct cb_supervisor *s, struct worker *w, struct open_case *o,
                                     struct cb_err *err)
{
    if (ensure_worker(s, w, err) != CB_OK)
        return err->status;
    cJSON *m = new_case_message("open", o->c), *answer;
    cJSON_AddStringToObject(m, "bench", o->c->bench->id);
    cJSON_AddItemToObject(m, "params", cJSON_Duplicate(o->params, true));
    const struct limit limit = {fmax(OPEN_DEADLINE_S, o->c->run_deadline_s), "compiling"};
    o->lost = false;
    enum cb_status status = request(w, m, &limit, &answer, err);
    cJSON_Delete(answer);
    return status;
}

static enum cb_status execute_open(void *self, const struct cb_case *c, const cJSON *params,
                                   struct cb_err *err)
{
    struct cb_supervisor *s = self;
    struct worker *w = worker_of(s, c->device);
    struct open_case *o = calloc(1, sizeof *o);
    if (!w || !o) {
        free(o);
        return cb_fail(err, CB_ERROR, "out of memory");
    }
    *o = (struct open_case){w->cases, c, cJSON_Duplicate(params, true), true};
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
    if (o->lost && open_in_worker(s, w, o, err) != CB_OK)
        return err->status;
    cJSON *answer;
    const struct limit limit = {c->run_deadline_s, "running (--run-deadline)"};
    enum cb_status status = request(w, new_case_message("run", c), &limit, &answer, err);
    cJSON *values = cJSON_DetachItemFromObjectCaseSensitive(answer, "values");
    if (values) {
        cJSON_Delete(sample->values);
        sample->values = values;
    }
    sample->notes = cJSON_DetachItemFromObjectCaseSensitive(answer, "notes");
    snprintf(sample->failure, sizeof sample->failure, "%s", cb_json_text(answer, "failure", ""));
    sample->verified = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "verified"));
    cJSON_Delete(answer);
    return status;
}

static void execute_close(void *self, const struct cb_case *c)
{
    struct cb_supervisor *s = self;
    struct worker *w = worker_of(s, c->device);
    struct open_case **place = w ? find_case(w, c) : NULL, *o = place ? *place : NULL;
    if (!o)
        return;
    *place = o->next;
    if (!o->lost) {
        cJSON *answer;
        struct cb_err err;
        request(w, new_case_message("close", c), &close_limit, &answer, &err);
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
        .open = execute_open,
        .run = execute_run,
        .close = execute_close,
        .now_ns = execute_now,
        .interrupted = execute_interrupted,
    };
}

/* ---- The rest -------------------------------------------------------------------------------- */

/* PoCL's number of threads is the number of workgroups that run at once. Before version 4 it reads
 * the first name, since then the second. n 0: the default, unless the user's environment says. */
static void set_cpu_workgroups(unsigned n)
{
    static const char *const names[] = {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"};
    char text[16];
    snprintf(text, sizeof text, "%u", n ? n : DEFAULT_CPU_WORKGROUPS);
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        if (n == 0 && getenv(names[i]))
            return;
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        setenv(names[i], text, 1);
}

struct cb_supervisor *cb_supervisor_new(const struct cb_worker_settings *settings)
{
    struct cb_supervisor *s = calloc(1, sizeof *s);
    if (s) {
        s->settings = *settings;
        set_cpu_workgroups(settings->cpu_workgroups);
    }
    return s;
}

void cb_supervisor_free(struct cb_supervisor *s)
{
    for (struct worker *next, *w = s ? s->workers : NULL; w; w = next) {
        int status;
        next = w->next;
        if (w->pid)
            end_process(w, TERM_GRACE_NS, &status);
        cJSON_Delete(w->session);
        free(w);
    }
    free(s);
}

enum cb_status cb_supervisor_devices(struct cb_supervisor *s, struct cb_devices *out,
                                     struct cb_err *err)
{
    (void)s; /* its creation has set the environment that decides what PoCL's device is */
    *out = (struct cb_devices){0};
    struct worker w = {.channel = {.in = -1, .out = -1}};
    if (spawn(&w, err) != CB_OK)
        return err->status;
    cJSON *answer;
    enum cb_status status = request(&w, new_message("devices"), &devices_limit, &answer, err);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(answer, "devices"), *item;
    if (status == CB_OK && cJSON_GetArraySize(list) > 0) {
        out->items = calloc((size_t)cJSON_GetArraySize(list), sizeof *out->items);
        cJSON_ArrayForEach (item, list)
            if (out->items)
                cb_device_from_json(&out->items[out->count++], item);
    }
    cJSON_Delete(answer);
    int exit_status;
    if (w.pid)
        end_process(&w, TERM_GRACE_NS, &exit_status);
    return status == CB_OK ? CB_OK : cb_context(err, "while looking for devices");
}

const cJSON *cb_supervisor_session(const struct cb_supervisor *s, const struct cb_device *device)
{
    for (const struct worker *w = s->workers; w; w = w->next)
        if (w->device == device)
            return w->session;
    return NULL;
}
