/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/setup_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/host/user_app.h"
#include "apps/host/user_buffer.h"
#include "apps/host/user_task.h"
#include "measure/process/worker.h"
#include "measure/text/json.h"
#include "runtime/clock.h"
#include "runtime/host/files.h"
#include "runtime/host/guarded.h"
#include "runtime/host/process.h"
#include "runtime/host/time.h"

#define MOST_S     20                        /* longest trial */
#define MOST_PAGES ((size_t)512 << 20 >> 12) /* of what a kernel may use, when it is learnt */
#define LOCAL_ZONE (32 << 10)                /* bytes beyond an argument in local memory */
#define LATE       (-2)                      /* in the place of an exit code */

static const char *const kinds[] = {"learn", "end", "begin"};

/* ---- The process ----------------------------------------------------------------------------- */

/* local: bytes of those arguments; NULL: there are none. */
static void answer_with(cJSON *answer, double launch_ns, const struct cb_user_buffer *buffers,
                        const size_t *local, unsigned n)
{
    cJSON_AddNumberToObject(answer, "launch_ns", launch_ns);
    cJSON *used = cJSON_AddArrayToObject(answer, "used");
    for (unsigned i = 0; i < n; i++) {
        int64_t range[2] = {0, local ? (int64_t)local[i] : 0};
        if (buffers[i].guarded >= 0)
            cb_guarded_touched(buffers[i].guarded, &range[0], &range[1]);
        cJSON_AddItemToArray(used, cJSON_CreateNumber((double)range[0]));
        cJSON_AddItemToArray(used, cJSON_CreateNumber((double)range[1]));
    }
}

static bool has_local(const struct cb_setup *s)
{
    bool has = false;
    for (unsigned i = 0; i < s->n_arguments; i++)
        has |= s->arguments[i].is_local;
    return has;
}

static enum cb_status run_task(struct cb_session *s, const char *path, enum cb_trial_kind kind,
                               cJSON *answer, struct cb_err *err)
{
    struct cb_user_task_run *task = NULL;
    size_t local[CB_SETUP_ARGUMENTS] = {0};
    if (cb_user_task_add(path, err) != CB_OK ||
        cb_user_task_open(s, cb_user_task_of(path), NULL, 0, &task, err) != CB_OK)
        return err->status;
    const struct cb_setup *setup = &task->task->setup;
    if (kind == CB_TRIAL_LEARNS && has_local(setup) &&
        cb_user_task_find_local(task, local, err) != CB_OK)
        return err->status;
    answer_with(answer, task->launch_ns, task->buffers, local, setup->n_arguments);
    return kind == CB_TRIAL_PROVES_BEGIN ? cb_user_task_compare_orders(task, err) : CB_OK;
}

static enum cb_status run_app(struct cb_session *s, const char *path, enum cb_trial_kind kind,
                              cJSON *answer, struct cb_err *err)
{
    const struct cb_user_buffer *buffers;
    double run_ns;
    (void)kind;
    if (cb_user_app_add(path, err) != CB_OK ||
        cb_user_app_try(s, path, &run_ns, &buffers, err) != CB_OK)
        return err->status;
    answer_with(answer, run_ns, buffers, NULL, cb_user_app_of(path)->setup.n_arguments);
    return CB_OK;
}

static enum cb_status run(struct cb_session *s, const char *path, enum cb_trial_kind kind,
                          cJSON *answer, struct cb_err *err)
{
    struct cb_setup setup;
    enum cb_status status = cb_setup_read(path, &setup, err);
    const bool is_task = setup.range.dimensions > 0;
    cb_setup_free(&setup);
    if (status != CB_OK)
        return status;
    return (is_task ? run_task : run_app)(s, path, kind, answer, err);
}

int cb_setup_trial_main(int argc, char **argv)
{
    struct cb_session session;
    struct cb_err err = {0};
    if (argc != 5)
        return 2;
    int file = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    cJSON *answer = cJSON_CreateObject();
    if (file < 0 || !answer)
        return 2;
    cb_worker_answers_to(file);
    enum cb_trial_kind kind = CB_TRIAL_LEARNS;
    while (kind < CB_TRIAL_PROVES_BEGIN && strcmp(argv[2], kinds[kind]) != 0)
        kind++;
    if (kind == CB_TRIAL_LEARNS)
        cb_user_buffers_learn(MOST_PAGES);
    cb_user_buffers_begin_at_pages(kind == CB_TRIAL_PROVES_BEGIN);
    cb_user_tasks_widen_local(LOCAL_ZONE);
    enum cb_status status =
        cb_session_open_named(&session, "cpu", &(struct cb_session_options){0}, &err);
    if (status == CB_OK)
        status = run(&session, argv[3], kind, answer, &err);
    cJSON_AddStringToObject(answer, "status", cb_status_name(status));
    if (status != CB_OK)
        cJSON_AddStringToObject(answer, "reason", err.text);
    char *text = cJSON_PrintUnformatted(answer);
    const bool is_written = text && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    _exit(is_written ? 0 : 2); /* drivers have been seen to hang where they release things */
}

/* ---- Its parent ------------------------------------------------------------------------------ */

static enum cb_status hear(const char *path, int code, struct cb_trial *t, struct cb_err *err)
{
    static const struct cb_file_kind kind = {"an answer", 1u << 20};
    char *text = NULL;
    cJSON *answer =
        cb_read_file(path, &kind, &text, &(struct cb_err){0}) == CB_OK ? cJSON_Parse(text) : NULL;
    const char *status = cb_json_text(answer, "status", "");
    const cJSON *used = cJSON_GetObjectItemCaseSensitive(answer, "used");
    *t = (struct cb_trial){.launch_ns = cb_json_number(answer, "launch_ns")};
    for (int i = 0; i < cJSON_GetArraySize(used) / 2 && i < CB_SETUP_ARGUMENTS; i++) {
        t->used[i].first = (int64_t)cJSON_GetArrayItem(used, 2 * i)->valuedouble;
        t->used[i].end = (int64_t)cJSON_GetArrayItem(used, 2 * i + 1)->valuedouble;
    }
    if (!answer)
        cb_fail(err, code == LATE ? CB_TIMEOUT : CB_CRASHED,
                code == LATE ? "a launch of the kernel does not end"
                : code < 0   ? "a launch of the kernel ends the process"
                             : "the trial ended with exit code %d",
                code);
    else if (strcmp(status, cb_status_name(CB_OK)) != 0)
        cb_fail(err, cb_status_from_name(status), "%s", cb_json_text(answer, "reason", ""));
    else
        cb_succeed(err);
    cJSON_Delete(answer);
    free(text);
    return err->status;
}

/* Runs the process until its end; its exit code, -1: it had none, LATE: nor an end in time. */
static int run_process(enum cb_trial_kind kind, const char *setup, const char *answer)
{
    const uint64_t deadline_ns = cb_now_ns() + MOST_S * 1000000000ull;
    const pid_t child = fork();
    if (child < 0)
        return 2;
    if (child > 0) {
        const int code = cb_process_end(child, deadline_ns);
        return code < 0 && cb_now_ns() >= deadline_ns ? LATE : code;
    }
    alarm(MOST_S + 1); /* also if its parent has gone before the deadline */
    const int quiet = open("/dev/null", O_RDWR);
    dup2(quiet, STDOUT_FILENO); /* drivers print */
    dup2(quiet, STDERR_FILENO);
    execl("/proc/self/exe", "coopbench", "trial", kinds[kind], setup, answer, (char *)NULL);
    _exit(2);
}

/* Without the place in a file that is gone. */
static void forget_place(const char *path, struct cb_err *err)
{
    const size_t n = strlen(path);
    const char *rest = strncmp(err->text, path, n) == 0 ? err->text + n : NULL;
    if (rest && *rest == ':')
        rest += 1 + strspn(rest + 1, "0123456789:");
    if (rest)
        memmove(err->text, rest + strspn(rest, " "), strlen(rest + strspn(rest, " ")) + 1);
}

enum cb_status cb_setup_try(const cJSON *setup, enum cb_trial_kind kind, struct cb_trial *t,
                            struct cb_err *err)
{
    char folder[] = "/tmp/coopbench-trial-XXXXXX", path[64], answer[64];
    char *text = cJSON_Print(setup);
    if (!text || !mkdtemp(folder)) {
        free(text);
        return cb_fail(err, CB_ERROR, "no folder for a trial: %s", strerror(errno));
    }
    snprintf(path, sizeof path, "%s/setup.json", folder);
    snprintf(answer, sizeof answer, "%s/answer.json", folder);
    FILE *out = fopen(path, "w");
    bool is_written = out && fputs(text, out) >= 0;
    is_written = (!out || fclose(out) == 0) && is_written;
    enum cb_status status =
        is_written ? hear(answer, run_process(kind, path, answer), t, err)
                   : cb_fail(err, CB_ERROR, "cannot write %s: %s", path, strerror(errno));
    if (status != CB_OK)
        forget_place(path, err);
    unlink(path);
    unlink(answer);
    rmdir(folder);
    free(text);
    return status;
}
