/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/user_task.h"
#include "apps/host/user_merge.h"

#include <stdlib.h>
#include <string.h>

#include "apps/host/options.h"
#include "apps/host/user_app.h"
#include "runtime/merge/merge.h"
#include "runtime/source.h"

static struct cb_user_task *tasks[CB_USER_TASKS];
static int n_tasks;

const struct cb_user_task *cb_user_task_of(const char *path)
{
    for (int i = 0; i < n_tasks; i++)
        if (strcmp(tasks[i]->path, path) == 0)
            return tasks[i];
    return NULL;
}

/* Keeps a text that write() makes. */
static enum cb_status keep(const char *path, const struct cb_user_task *t, const struct cb_app *app,
                           enum cb_status (*write)(const struct cb_user_task *t,
                                                   const struct cb_app *app, FILE *out,
                                                   struct cb_err *err),
                           struct cb_err *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return cb_no_memory(err);
    enum cb_status status = write(t, app, out, err);
    if (fclose(out) != 0 && status == CB_OK)
        status = cb_no_memory(err);
    if (status == CB_OK)
        status = cb_source_keep(path, text, err);
    free(text);
    return status;
}

static enum cb_status write_plain(const struct cb_user_task *t, const struct cb_app *app, FILE *out,
                                  struct cb_err *err)
{
    (void)app;
    struct cb_merge_source sources[1 + CB_SETUP_CHILDREN];
    cb_setup_sources(&t->setup, sources);
    return cb_merge_plain(sources, out, err);
}

static enum cb_status keep_plain(struct cb_user_task *t, struct cb_err *err)
{
    snprintf(t->plain, sizeof t->plain, "merged/tasks/plain/%s.cl", t->setup.id);
    return keep(t->plain, t, NULL, write_plain, err);
}

static enum cb_status load(struct cb_user_task *t, const char *path, struct cb_err *err)
{
    struct cb_merge_source sources[1 + CB_SETUP_CHILDREN];
    struct cb_merge_kernel kernel = {0};
    char *text = NULL;
    t->path = strdup(path);
    if (!t->path)
        return cb_no_memory(err);
    enum cb_status status = cb_setup_read(path, &t->setup, err);
    if (status == CB_OK && t->setup.range.dimensions == 0)
        status = cb_fail(err, CB_USAGE,
                         "%s: a task's setup has its NDRange and how often it comes, as "
                         "\"global\": [1024, 768], \"local\": [16, 16], \"period_ms\": 20",
                         path);
    if (status == CB_OK)
        status = cb_user_kernel_merge(sources, cb_setup_sources(&t->setup, sources), CB_USER_TASK,
                                      &text, &kernel, err);
    if (status == CB_OK)
        status = cb_setup_read_arguments(&t->setup, &kernel, err);
    if (status == CB_OK)
        status = cb_user_keep(&t->setup, text, t->text, err);
    t->submits = kernel.submits;
    if (status == CB_OK)
        status = keep_plain(t, err);
    t->kernel = kernel.name;
    kernel.name = NULL;
    cb_merge_kernel_free(&kernel);
    free(text);
    return status;
}

static void forget(struct cb_user_task *t)
{
    if (!t)
        return;
    cb_setup_free(&t->setup);
    free(t->kernel);
    free(t->path);
    free(t);
}

enum cb_status cb_user_task_add(const char *path, struct cb_err *err)
{
    if (cb_user_task_of(path))
        return CB_OK;
    if (n_tasks == CB_USER_TASKS)
        return cb_fail(err, CB_USAGE, "task: at most %d setups", CB_USER_TASKS);
    struct cb_user_task *t = calloc(1, sizeof *t);
    enum cb_status status = t ? load(t, path, err) : cb_no_memory(err);
    for (int i = 0; i < n_tasks && status == CB_OK; i++)
        if (strcmp(tasks[i]->setup.id, t->setup.id) == 0)
            status = cb_fail(err, CB_USAGE, "%s: %s is called so, too: give one another name", path,
                             tasks[i]->path);
    if (status != CB_OK) {
        forget(t);
        return status;
    }
    tasks[n_tasks++] = t;
    cb_user_tell_workers("task", path);
    return CB_OK;
}

bool cb_user_task_is(const char *text)
{
    return cb_app_is_users(text) || cb_app_is_kernel(text);
}

static enum cb_status choose(const struct cb_app_options *options, const char *path,
                             struct cb_user_workload *own, struct cb_err *err)
{
    char of_kernel[CB_SETUP_PATH];
    struct cb_workload *w = &own->workload;
    if (cb_app_is_kernel(path)) {
        if (cb_app_setup_path(options, path, of_kernel, err) != CB_OK)
            return err->status;
        path = of_kernel;
    }
    if (cb_user_task_add(path, err) != CB_OK)
        return err->status;
    own->task = cb_user_task_of(path);
    const struct cb_setup *s = &own->task->setup;
    if (cb_workload_find(s->id, w, &(struct cb_err){0}) == CB_OK)
        return cb_fail(err, CB_USAGE, "%s: a workload is called %s: give this one another name",
                       path, s->id);
    snprintf(w->name, sizeof w->name, "%s", s->id);
    w->period_ns = s->arrivals.period_ns;
    w->duration_ns = s->arrivals.period_ns / 4;
    return CB_OK;
}

static bool is_chosen(const struct cb_user_workload *list, int n, const struct cb_user_task *task)
{
    for (int i = 0; i < n; i++)
        if (list[i].task == task)
            return true;
    return false;
}

enum cb_status cb_user_tasks_choose(const struct cb_app_options *options,
                                    struct cb_user_workload list[CB_USER_TASKS], int *n,
                                    struct cb_err *err)
{
    *n = 0;
    for (int i = 0; i < options->tasks.n; i++) {
        const char *text = cb_texts_at(options->tasks, i);
        struct cb_user_workload own;
        if (!cb_user_task_is(text))
            continue;
        if (choose(options, text, &own, err) != CB_OK)
            return err->status;
        if (!is_chosen(list, *n, own.task))
            list[(*n)++] = own;
    }
    return CB_OK;
}

/* ---- With an app ----------------------------------------------------------------------------- */

static bool is_same(const struct cb_merge_source *a, const struct cb_merge_source *b)
{
    return strcmp(a->path, b->path) == 0 && strcmp(a->options, b->options) == 0 &&
           strcmp(a->name ? a->name : "", b->name ? b->name : "") == 0;
}

/* A task that both submit is there once. */
static enum cb_status merge_both(const struct cb_user_task *t, const struct cb_user_app *user,
                                 FILE *out, struct cb_err *err)
{
    struct cb_merge_source all[2 * (1 + CB_SETUP_CHILDREN)];
    int of_task = cb_setup_sources(&t->setup, all), n = of_task,
        end = n + cb_setup_sources(&user->setup, all + n);
    for (int i = of_task; i < end; i++) {
        int same = 0;
        while (same < of_task && !is_same(&all[same], &all[i]))
            same++;
        if (same == of_task)
            all[n++] = all[i];
    }
    cb_setup_write_counts(&user->setup, out);
    return cb_merge(all, n, out, NULL, err);
}

/* One of our apps comes after the task, which has been merged; one of the user's is merged with it,
 * so that neither's names are in the other's way. The task is the program's first. */
static enum cb_status write_program(const struct cb_user_task *t, const struct cb_app *app,
                                    FILE *out, struct cb_err *err)
{
    const struct cb_user_app *user = cb_user_app_of(app->inputs[0].spec[0]);
    if (user)
        return merge_both(t, user, out, err);
    if (app->submits)
        return cb_fail(err, CB_UNSUPPORTED,
                       "the app %s brings tasks of its own, beside which a program has no room for "
                       "%s: take another app",
                       app->id, t->setup.id);
    fprintf(out, "#include \"%s\"\n#include \"%s\"\n", t->text, app->kernel);
    return CB_OK;
}

enum cb_status cb_user_task_program(const struct cb_user_task *t, const struct cb_app *app,
                                    char program[CB_USER_PATH], struct cb_err *err)
{
    snprintf(program, CB_USER_PATH, "merged/tasks/%s+%s", t->setup.id, app->kernel);
    for (char *c = program + strlen("merged/tasks/"); *c; c++)
        *c = *c == '/' ? '-' : *c;
    return keep(program, t, app, write_program, err);
}

/* ---- With several apps ----------------------------------------------------------------------- */

/* Each app has names of its own (runtime/source.h), and the task those of its kernel. */
static enum cb_status write_common(const struct cb_user_task *t, const struct cb_app *app,
                                   FILE *out, struct cb_err *err)
{
    (void)app;
    if (t->submits)
        return cb_fail(err, CB_UNSUPPORTED,
                       "%s submits tasks of its own, which it can beside one app only",
                       t->setup.id);
    fprintf(out, "#include \"coop/together.clh\"\n#include \"%s\"\n", t->text);
    return CB_OK;
}

enum cb_status cb_user_task_common(const struct cb_user_task *t, char common[CB_USER_PATH],
                                   struct cb_err *err)
{
    snprintf(common, CB_USER_PATH, "merged/tasks/together/%s.cl", t->setup.id);
    return keep(common, t, NULL, write_common, err);
}
