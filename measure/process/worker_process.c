/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/process/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure/text/json.h"
#include "runtime/host/process.h"
#include "runtime/host/signals.h"
#include "runtime/host/time.h"

#define WORKER_IN       3 /* the worker's file descriptors */
#define WORKER_OUT      4
#define KILL_GRACE_NS   5000000000u
#define GROUP_SIGNAL_NS 100000000u
#define WATCH_NS        1000000000u

/* ---- Processes ------------------------------------------------------------------------------- */

/* In the child: nothing but system calls until exec. */
static void become_worker(int in, int out)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int quiet = open("/dev/null", O_RDONLY);
    dup2(quiet, STDIN_FILENO);
    if (quiet != STDIN_FILENO)
        close(quiet);
    dup2(in, WORKER_IN);
    dup2(out, WORKER_OUT);
    dup2(STDERR_FILENO, STDOUT_FILENO); /* drivers that print must not end up in the results */
    execl("/proc/self/exe", "coopbench", "worker", (char *)NULL);
    _exit(127);
}

/* A pipe that is above the worker's numbers. */
static bool open_pipe(int ends[2])
{
    int low[2], number;
    if (pipe2(low, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, WORKER_OUT + 1);
    number = errno;
    close(low[0]);
    close(low[1]);
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    if (ends[0] >= 0)
        close(ends[0]);
    errno = number == EINVAL ? EMFILE : number; /* the limit is below all of these numbers */
    return false;
}

enum cb_status cb_worker_spawn(struct cb_worker_process *w, struct cb_err *err)
{
    int to_worker[2], from_worker[2];
    if (!open_pipe(to_worker))
        return cb_fail(err, CB_ERROR, "cannot start a worker process: %s", strerror(errno));
    if (!open_pipe(from_worker)) {
        close(to_worker[0]);
        close(to_worker[1]);
        return cb_fail(err, CB_ERROR, "cannot start a worker process: %s", strerror(errno));
    }
    pid_t pid = fork();
    if (pid == 0)
        become_worker(to_worker[0], from_worker[1]);
    int number = errno;
    close(to_worker[0]);
    close(from_worker[1]);
    w->channel = (struct cb_channel){.in = from_worker[0], .out = to_worker[1]};
    if (pid < 0) {
        cb_channel_close(&w->channel);
        return cb_fail(err, CB_ERROR, "cannot start a worker process: %s", strerror(number));
    }
    w->pid = pid;
    w->spawned++;
    return CB_OK;
}

static bool reap(pid_t pid, uint64_t grace_ns, int *status)
{
    return cb_process_wait(pid, cb_now_ns() + grace_ns, status);
}

/* Ends the process; its exit status in *status. */
static void end_process(struct cb_worker_process *w, uint64_t patience_ns, int *status)
{
    cb_channel_close(&w->channel); /* an idle worker ends by itself */
    if (w->pid && !reap(w->pid, patience_ns, status)) {
        kill(w->pid, SIGTERM);
        if (!reap(w->pid, CB_WORKER_TERM_GRACE_NS, status)) {
            kill(w->pid, SIGKILL);
            /* in the kernel a process may not take a SIGKILL: never wait without limit */
            w->lost = !reap(w->pid, KILL_GRACE_NS, status);
        }
    }
    w->pid = 0;
}

void cb_worker_end(struct cb_worker_process *w, uint64_t patience_ns)
{
    int status;
    end_process(w, patience_ns, &status);
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

/* A signal to the whole group may reach the worker before this process has its own. */
static bool group_is_interrupted(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    uint64_t deadline_ns = cb_now_ns() + GROUP_SIGNAL_NS;
    while (!cb_caught_signal() && cb_now_ns() < deadline_ns)
        nanosleep(&pause, NULL);
    return cb_caught_signal();
}

static bool ended_with_group(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM && group_is_interrupted();
}

/* Ends a worker that broke off or is too late; err tells why. */
static enum cb_status lose(struct cb_worker_process *w, enum cb_channel_status why,
                           const struct cb_worker_limit *limit, struct cb_err *err)
{
    int status = 0;
    end_process(w, why == CB_CHANNEL_CLOSED ? KILL_GRACE_NS : 0, &status);
    if (why == CB_CHANNEL_INTERRUPTED || (why == CB_CHANNEL_CLOSED && ended_with_group(status)))
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

static cJSON *warnings; /* of all workers, each once */

static void note_warnings(const cJSON *answer)
{
    const cJSON *line, *all = cJSON_GetObjectItemCaseSensitive(answer, "warnings");
    cJSON_ArrayForEach (line, all) {
        const cJSON *known = warnings ? warnings->child : NULL;
        while (known && !cJSON_Compare(known, line, true))
            known = known->next;
        warnings = warnings ? warnings : cJSON_CreateArray();
        if (!known)
            cJSON_AddItemToArray(warnings, cJSON_Duplicate(line, true));
    }
}

const cJSON *cb_worker_warnings(void)
{
    return warnings;
}

static enum cb_status status_of(const cJSON *answer, struct cb_err *err)
{
    enum cb_status status = cb_status_from_name(cb_json_text(answer, "status", NULL));
    if (status > CB_USAGE) /* a device that has gone, say: not a status of a row */
        status = CB_ERROR;
    if (status == CB_INTERRUPTED && !group_is_interrupted())
        return cb_fail(err, CB_CRASHED, "somebody ended the worker process by signal %d (%s)",
                       SIGTERM, strsignal(SIGTERM));
    return status == CB_OK
               ? CB_OK
               : cb_fail(err, status, "%s", cb_json_text(answer, "reason", "no reason given"));
}

/* Until the deadline; meanwhile who watches is told. */
static enum cb_channel_status receive(struct cb_worker_process *w,
                                      const struct cb_worker_limit *limit, cJSON **answer)
{
    const struct cb_worker_watch *watch = limit->watch;
    const uint64_t begin_ns = cb_now_ns(), end_ns = begin_ns + (uint64_t)(limit->deadline_s * 1e9);
    for (;;) {
        uint64_t until_ns = watch ? cb_now_ns() + WATCH_NS : end_ns;
        until_ns = until_ns < end_ns ? until_ns : end_ns;
        enum cb_channel_status received =
            cb_channel_receive(&w->channel, until_ns, cb_caught_signal, answer);
        if (received != CB_CHANNEL_DEADLINE || until_ns == end_ns)
            return received;
        watch->waits(watch->self, limit, (double)(cb_now_ns() - begin_ns) / 1e9);
    }
}

enum cb_status cb_worker_receive(struct cb_worker_process *w, const struct cb_worker_limit *limit,
                                 cJSON **answer, struct cb_err *err)
{
    *answer = NULL;
    enum cb_channel_status received = receive(w, limit, answer);
    if (received != CB_CHANNEL_OK)
        return lose(w, received, limit, err);
    note_warnings(*answer);
    const bool is_stuck = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(*answer, "stuck"));
    w->losses += is_stuck;
    if (is_stuck || cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(*answer, "gone")))
        cb_worker_end(w, 0);
    return status_of(*answer, err);
}

enum cb_status cb_worker_send(struct cb_worker_process *w, cJSON *message,
                              const struct cb_worker_limit *limit, struct cb_err *err)
{
    enum cb_channel_status sent = cb_channel_send(&w->channel, message);
    cJSON_Delete(message);
    return sent == CB_CHANNEL_OK ? CB_OK : lose(w, sent, limit, err);
}

enum cb_status cb_worker_request(struct cb_worker_process *w, cJSON *message,
                                 const struct cb_worker_limit *limit, cJSON **answer,
                                 struct cb_err *err)
{
    *answer = NULL;
    if (cb_worker_send(w, message, limit, err) != CB_OK)
        return err->status;
    return cb_worker_receive(w, limit, answer, err);
}
