/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of several kernels: tasks, then a cooperative one. What a task's file declares and
 * defines gets a name of its own, and is forgotten after it: files know nothing of each other, and
 * may have the same names, and include the same files.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/merge/merge.h"
#include "runtime/merge/write.h"
#include "runtime/source.h"

struct part {
    struct cb_merge_unit unit;
    struct cb_merge_writer writer;
    bool by_packet;
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
    part->by_packet = source->by_packet;
    if (cb_source_users_text(source->path, source->options, source->beside, &u->text, err) != CB_OK)
        return err->status;
    return cb_merge_prepare(&part->writer, source->path, source->name, err);
}

static bool is_task_of(const struct part *parts, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (parts[i].unit.is_task && strcmp(name_of(&parts[i]), name) == 0)
            return true;
    return false;
}

static bool submits(const struct part *parts, int n, bool is_task)
{
    for (int i = 0; i < n; i++)
        if (parts[i].unit.is_task == is_task && cb_merge_submits(&parts[i].unit))
            return true;
    return false;
}

/* A function of the part that is a task of another file, which it submits. */
static bool is_child(const struct cb_merge_function *f)
{
    return f->is_kernel && !f->has_body && f->is_called;
}

/* The first task that this part submits and that is not in the program, if there is one. */
static const char *lacking_task(const struct part *part, const struct part *parts, int n)
{
    const struct cb_merge_unit *u = &part->unit;
    for (int f = 0; f < u->n_functions; f++)
        if (is_child(&u->functions[f]) && !is_task_of(parts, n, u->functions[f].name))
            return u->functions[f].name;
    return NULL;
}

/* Whether tasks submit tasks, in a program that has these: one of a single file may be for others
 * to come. */
static bool is_nested(const struct part *parts, int n)
{
    return submits(parts, n, true) && (n > 1 || !lacking_task(parts, parts, n));
}

/* Whether all tasks that this part submits are in the program, if it has any. */
static enum cb_status check_children(const struct part *part, const struct part *parts, int n,
                                     struct cb_err *err)
{
    const char *lacking = n > 1 ? lacking_task(part, parts, n) : NULL;
    return !lacking
               ? CB_OK
               : cb_fail(err, CB_USAGE, "%s submits the task %s: the program needs its file, too",
                         name_of(part), lacking);
}

static bool is_submitted(const struct part *part, const struct part *parts, int n)
{
    for (int i = 0; i < n; i++)
        for (int f = 0; f < parts[i].unit.n_functions; f++)
            if (is_child(&parts[i].unit.functions[f]) &&
                strcmp(parts[i].unit.functions[f].name, name_of(part)) == 0)
                return true;
    return part->unit.submits_itself;
}

static void note_points(struct part *part, const struct cb_merge_node *n)
{
    if (n->kind == CB_MERGE_POINT && n->which != CB_WORKGROUP_BARRIER)
        cb_merge_problem(&part->unit, n->begin,
                         "%s() in %s, which is submitted: a task has no scheduling point. The "
                         "kernel that submits the first one waits for all",
                         cb_merge_row_of(n)->source, name_of(part));
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        note_points(part, c);
}

/* why: all of its arguments come by a packet. */
static void note_images(struct part *part, const char *why)
{
    const struct cb_merge_var *image = cb_merge_images_of(&part->unit);
    if (image)
        cb_merge_problem(
            &part->unit, image->begin,
            "the parameter %s of %s: a launch packet brings neither images nor samplers, "
            "and %s: give it a buffer",
            image->name, name_of(part), why);
}

/* Those that are submitted have no points: they would be tasks. */
static enum cb_status check_points(struct part *parts, int n, struct cb_err *err)
{
    for (int i = 0; i < n; i++) {
        if (is_submitted(&parts[i], parts, n)) {
            note_points(&parts[i], parts[i].unit.body);
            note_images(&parts[i], "it is submitted by a kernel");
        } else if (parts[i].by_packet) {
            note_images(&parts[i], "the library has nothing else");
        }
        if (cb_merge_verdict(&parts[i].unit, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* The packets of tasks that submit each other come before all of their files. */
static enum cb_status check_packet(struct part *part, struct cb_err *err)
{
    struct cb_merge_unit *u = &part->unit;
    for (int v = 0; v < u->n_vars; v++)
        if (u->vars[v].is_parameter && !u->vars[v].is_pointer &&
            cb_merge_is_of_file(u, &u->vars[v]))
            cb_merge_problem(u, u->vars[v].begin,
                             "the parameter %s has a type of its own, in a program whose tasks "
                             "submit tasks: give it by a pointer, or as one of OpenCL's types",
                             u->vars[v].name);
    return cb_merge_verdict(u, err);
}

/* Whether the parts can be in one program. */
static enum cb_status check_parts(struct part *parts, int n, struct cb_err *err)
{
    const struct part *cooperative = NULL;
    for (int i = 0; i < n; i++) {
        for (int before = 0; before < i; before++)
            if (strcmp(name_of(&parts[before]), name_of(&parts[i])) == 0)
                return cb_fail(err, CB_USAGE, "two kernels are called %s: rename one",
                               name_of(&parts[i]));
        if (check_children(&parts[i], parts, n, err) != CB_OK)
            return err->status;
        if (parts[i].unit.is_task && is_nested(parts, n) && check_packet(&parts[i], err) != CB_OK)
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
            fprintf(part->writer.out, ends ? "#undef %s\n" : "#define %s %s" CB_SOURCE_OWN "%s\n",
                    u->names[i], name_of(part), u->names[i]);
}

/* Variables of the kernel that are called otherwise here. */
static void tell_renamed(const struct part *part)
{
    const struct cb_merge_unit *u = &part->unit;
    for (int v = 0; v < u->n_vars; v++)
        if (u->vars[v].given && is_identifier(u->vars[v].name))
            fprintf(part->writer.out, CB_SOURCE_RENAMED, (int)strlen(u->vars[v].name),
                    u->vars[v].name, (int)strlen(u->vars[v].given), u->vars[v].given);
}

static void write_part(struct part *part, const char *path)
{
    bool renames = part->unit.is_task;
    fprintf(part->writer.out, "/* Made of the kernel %s in %s by 'coopbench merge'. */\n",
            name_of(part), path);
    tell_renamed(part);
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

/* What all tasks have in common. Those that submit tasks need all packets. */
static void write_head(struct part *parts, int n)
{
    FILE *out = parts[0].writer.out;
    write_list(parts, n);
    if (is_nested(parts, n))
        fputs("#define COOP_SUBMITS\n", out);
    if (submits(parts, n, true))
        fputs("#include \"coop/children.clh\"\n", out);
    fputs("#include \"task.clh\"\n", out);
    for (int i = 0; i < n && is_nested(parts, n); i++)
        if (parts[i].unit.is_task)
            cb_merge_write_packet(&parts[i].writer);
    if (submits(parts, n, true))
        fputs("#include \"coop/submit.clh\"\n", out);
}

/* The cooperative kernel, whose names stay, comes last. */
static void write_parts(struct part *parts, const struct cb_merge_source *sources, int n)
{
    bool has_task = false;
    for (int i = 0; i < n; i++)
        has_task |= parts[i].unit.is_task;
    if (has_task) /* before the user's macros and names */
        write_head(parts, n);
    for (int is_task = 1; is_task >= 0; is_task--)
        for (int i = 0; i < n; i++)
            if (parts[i].unit.is_task == is_task)
                write_part(&parts[i], sources[i].path);
}

/* The one that `kernel` is about. */
static struct part *main_part(struct part *parts, int n)
{
    for (int i = 0; i < n; i++)
        if (!parts[i].unit.is_task)
            return &parts[i];
    return parts;
}

static enum cb_status tell(struct part *parts, int n, struct cb_merge_kernel *kernel,
                           struct cb_err *err)
{
    struct part *part = main_part(parts, n);
    struct cb_merge_unit *u = &part->unit;
    kernel->is_task = u->is_task;
    kernel->offers = !u->is_task && cb_merge_offers(u);
    kernel->submits = cb_merge_submits(u);
    kernel->lacks_tasks =
        lacking_task(part, parts, n) || (kernel->submits && !u->is_task && n == 1);
    kernel->counts_runs = !u->is_task && cb_merge_has_word(u, "coop_run");
    for (int v = 0; v < u->n_vars; v++)
        kernel->keeps_pointer |=
            u->vars[v].lives && u->vars[v].is_transmitted && u->vars[v].has_pointer;
    kernel->name = strdup(u->functions[u->kernel].name);
    kernel->warnings = strdup(u->warnings ? u->warnings : "");
    kernel->parameters = calloc((size_t)u->n_vars + 1, sizeof *kernel->parameters);
    for (int v = 0; kernel->parameters && v < u->n_vars; v++) {
        if (!u->vars[v].is_parameter)
            continue;
        struct cb_merge_parameter *p = &kernel->parameters[kernel->n_parameters++];
        *p = (struct cb_merge_parameter){.type = strdup(u->vars[v].type),
                                         .name = strdup(u->vars[v].name),
                                         .space = u->vars[v].space,
                                         .layout = u->vars[v].layout};
        u->vars[v].layout = (struct cb_layout){0}; /* the kernel's from now on */
        if (!p->type || !p->name)
            return cb_no_memory(err);
    }
    if (!kernel->parameters || !kernel->name || !kernel->warnings)
        return cb_no_memory(err);
    cb_merge_note_facts(u, kernel);
    return CB_OK;
}

enum cb_status cb_merge_program(const struct cb_merge_source *sources, int n, FILE *out,
                                struct cb_merge_kernel *kernel, struct cb_err *err)
{
    if (kernel)
        *kernel = (struct cb_merge_kernel){0};
    struct part *parts = calloc((size_t)n, sizeof *parts);
    enum cb_status status = parts ? CB_OK : cb_no_memory(err);
    for (int i = 0; i < n && status == CB_OK; i++)
        status = read_part(&parts[i], &sources[i], out, err);
    if (status == CB_OK)
        status = check_points(parts, n, err);
    if (status == CB_OK)
        status = check_parts(parts, n, err);
    if (status == CB_OK)
        write_parts(parts, sources, n);
    if (status == CB_OK && kernel)
        status = tell(parts, n, kernel, err);
    for (int i = 0; parts && i < n; i++) {
        free(parts[i].writer.edits);
        cb_merge_free(&parts[i].unit);
    }
    free(parts);
    return status;
}
