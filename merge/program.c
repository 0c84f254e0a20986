/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of several kernels: tasks, then a cooperative one. What a task's file declares and
 * defines gets a name of its own, and is forgotten after it: files know nothing of each other, and
 * may have the same names, and include the same files.
 */
#include <stdlib.h>
#include <string.h>

#include "merge/merge.h"
#include "merge/write.h"
#include "runtime/source.h"

struct part {
    struct cb_merge_unit unit;
    struct cb_merge_writer writer;
};

bool cb_merge_is_built(void)
{
    return true;
}

static const char *name_of(const struct part *part)
{
    return part->unit.functions[part->unit.kernel].name;
}

static enum cb_status read_part(struct part *part, const struct cb_merge_source *source, FILE *out,
                                struct cb_err *err)
{
    struct cb_merge_unit *u = &part->unit;
    part->writer = (struct cb_merge_writer){.u = u, .out = out};
    char *path = cb_source_users_path(source->path);
    enum cb_status status = path ? cb_source_expand_users(path, &u->text, err)
                                 : cb_fail(err, CB_ERROR, "out of memory");
    free(path);
    if (status != CB_OK)
        return status;
    return cb_merge_prepare(&part->writer, source->path, source->name, err);
}

static bool is_task_of(const struct part *parts, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (parts[i].unit.is_task && strcmp(name_of(&parts[i]), name) == 0)
            return true;
    return false;
}

/* Whether all tasks that this part submits are in the program, if it has any. */
static enum cb_status check_children(const struct part *part, const struct part *parts, int n,
                                     struct cb_err *err)
{
    const struct cb_merge_unit *u = &part->unit;
    if (u->is_task && cb_merge_submits(u))
        return cb_fail(err, CB_USAGE,
                       "%s submits tasks without a scheduling point, as a task cannot: "
                       "join_tasks() is one",
                       name_of(part));
    for (int f = 0; f < u->n_functions; f++)
        if (n > 1 && u->functions[f].is_kernel && !u->functions[f].has_body &&
            u->functions[f].is_called && !is_task_of(parts, n, u->functions[f].name))
            return cb_fail(err, CB_USAGE, "%s submits the task %s: the program needs its file, too",
                           name_of(part), u->functions[f].name);
    return CB_OK;
}

/* Whether the parts can be in one program. */
static enum cb_status check_parts(const struct part *parts, int n, struct cb_err *err)
{
    const struct part *cooperative = NULL;
    for (int i = 0; i < n; i++) {
        for (int before = 0; before < i; before++)
            if (strcmp(name_of(&parts[before]), name_of(&parts[i])) == 0)
                return cb_fail(err, CB_USAGE, "two kernels are called %s: rename one",
                               name_of(&parts[i]));
        if (check_children(&parts[i], parts, n, err) != CB_OK)
            return err->status;
        if (parts[i].unit.is_task)
            continue;
        if (cooperative)
            return cb_fail(err, CB_USAGE,
                           "%s and %s both have scheduling points: a program has one such kernel",
                           name_of(cooperative), name_of(&parts[i]));
        cooperative = &parts[i];
    }
    return CB_OK;
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* libclang has names for what has none. */
static bool is_identifier(const char *name)
{
    return *name && name[strspn(name, CB_MERGE_LETTERS)] == '\0';
}

/* What is declared beside the kernel. */
static void rename_all(const struct part *part, bool ends)
{
    const struct cb_merge_unit *u = &part->unit;
    for (int i = 0; i < u->n_names; i++)
        if (is_identifier(u->names[i]) && strcmp(u->names[i], name_of(part)) != 0)
            fprintf(part->writer.out, ends ? "#undef %s\n" : "#define %s %s_%s\n", u->names[i],
                    name_of(part), u->names[i]);
}

static void write_part(struct part *part, const char *path)
{
    bool renames = part->unit.is_task;
    fprintf(part->writer.out, "/* Made of the kernel %s in %s by 'coopbench merge'. */\n",
            name_of(part), path);
    if (renames)
        rename_all(part, false);
    (part->unit.is_task ? cb_merge_write_task : cb_merge_write_cooperative)(&part->writer);
    if (renames) {
        rename_all(part, true);
        fputc('\n', part->writer.out);
    }
}

/* ---- The program ----------------------------------------------------------------------------- */

/* The tasks by their numbers, for the megakernel. */
static void write_list(const struct part *parts, int n)
{
    int number = 0;
    fputs("/* Tasks of the megakernel. */\n#define TASK_KERNELS(APART, TOGETHER)",
          parts[0].writer.out);
    for (int i = 0; i < n; i++)
        if (parts[i].unit.is_task)
            fprintf(parts[0].writer.out, " %s(%d, %s)",
                    cb_merge_is_together(&parts[i].unit) ? "TOGETHER" : "APART", number++,
                    name_of(&parts[i]));
    fputc('\n', parts[0].writer.out);
}

/* The cooperative kernel, whose names stay, comes last. */
static void write_parts(struct part *parts, const struct cb_merge_source *sources, int n)
{
    bool has_task = false;
    for (int i = 0; i < n; i++)
        has_task |= parts[i].unit.is_task;
    if (has_task) /* before the user's macros and names */
        fputs("#include \"task.clh\"\n", parts[0].writer.out);
    for (int is_task = 1; is_task >= 0; is_task--) {
        for (int i = 0; i < n; i++)
            if (parts[i].unit.is_task == is_task)
                write_part(&parts[i], sources[i].path);
        if (is_task && has_task)
            write_list(parts, n);
    }
}

static enum cb_status tell(const struct cb_merge_unit *u, struct cb_merge_kernel *kernel,
                           struct cb_err *err)
{
    kernel->is_task = u->is_task;
    kernel->offers = !u->is_task && cb_merge_offers(u);
    kernel->submits = !u->is_task && cb_merge_submits(u);
    kernel->counts_runs = !u->is_task && cb_merge_has_word(u, "coop_run");
    kernel->name = strdup(u->functions[u->kernel].name);
    kernel->parameters = calloc((size_t)u->n_vars + 1, sizeof *kernel->parameters);
    for (int v = 0; kernel->parameters && v < u->n_vars; v++) {
        if (!u->vars[v].is_parameter)
            continue;
        struct cb_merge_parameter *p = &kernel->parameters[kernel->n_parameters++];
        *p = (struct cb_merge_parameter){strdup(u->vars[v].type), strdup(u->vars[v].name)};
        if (!p->type || !p->name)
            return cb_fail(err, CB_ERROR, "out of memory");
    }
    return kernel->parameters && kernel->name ? CB_OK : cb_fail(err, CB_ERROR, "out of memory");
}

enum cb_status cb_merge(const struct cb_merge_source *sources, int n, FILE *out,
                        struct cb_merge_kernel *kernel, struct cb_err *err)
{
    if (kernel)
        *kernel = (struct cb_merge_kernel){0};
    struct part *parts = calloc((size_t)n, sizeof *parts);
    enum cb_status status = parts ? CB_OK : cb_fail(err, CB_ERROR, "out of memory");
    for (int i = 0; i < n && status == CB_OK; i++)
        status = read_part(&parts[i], &sources[i], out, err);
    if (status == CB_OK)
        status = check_parts(parts, n, err);
    if (status == CB_OK)
        write_parts(parts, sources, n);
    for (int i = 0; i < n && status == CB_OK && kernel; i++)
        if (!parts[i].unit.is_task || n == 1)
            status = tell(&parts[i].unit, kernel, err);
    for (int i = 0; parts && i < n; i++) {
        free(parts[i].writer.edits);
        cb_merge_free(&parts[i].unit);
    }
    free(parts);
    return status;
}
