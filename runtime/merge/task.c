/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame of a task: a plain kernel, whose workgroups are worked off by those that are there
 * (kernels/task.clh), in a launch of its own or in the megakernel.
 */
#include "runtime/merge/write.h"

#include <string.h>

/* "read_only image2d_t" */
static char *opaque_type(struct cb_merge_writer *w, const struct cb_layout *l)
{
    const size_t size = 64;
    char *type = cb_merge_keep(w->u, size);
    snprintf(type, size, "%s%s",
             l->is_sampler         ? "sampler_t"
             : l->image.is_written ? "write_only "
                                   : "read_only ",
             l->is_sampler ? "" : l->image.type);
    return type;
}

static const char *name_of(const struct cb_merge_writer *w)
{
    return w->u->functions[w->u->kernel].name;
}

enum parameters {
    ARGUMENTS, /* what a launch packet brings; name: arg_... */
    IMAGES,    /* images and samplers, which it cannot bring; name: ..._of_KERNEL */
    ALL,
};

/* Some of its parameters, whether there are any. */
static bool write_some(struct cb_merge_writer *w, enum parameters which,
                       void (*put)(FILE *out, const struct cb_merge_var *v), const char *between)
{
    bool any = false;
    for (int v = 0; v < w->u->n_vars; v++) {
        struct cb_merge_var var = w->u->vars[v];
        const bool is_opaque = cb_layout_is_opaque(&var.layout);
        if (!var.is_parameter || which == (is_opaque ? ARGUMENTS : IMAGES))
            continue;
        char name[512];
        snprintf(name, sizeof name, is_opaque ? "%s_of_%s" : "arg_%s", var.name, name_of(w));
        var.name = name;
        var.type = is_opaque ? opaque_type(w, &var.layout) : var.type;
        fputs(any ? between : "", w->out);
        put(w->out, &var);
        any = true;
    }
    return any;
}

static bool write_parameters(struct cb_merge_writer *w,
                             void (*put)(FILE *out, const struct cb_merge_var *v),
                             const char *between)
{
    return write_some(w, ARGUMENTS, put, between);
}

static void put_declared(FILE *out, const struct cb_merge_var *v)
{
    cb_merge_put_type(out, v, false);
}

static void put_value(FILE *out, const struct cb_merge_var *v)
{
    fputs(v->name, out);
}

static void put_declared_after(FILE *out, const struct cb_merge_var *v)
{
    fputs(", ", out);
    put_declared(out, v);
}

static void put_value_after(FILE *out, const struct cb_merge_var *v)
{
    fprintf(out, ", %s", v->name);
}

/* Writes an argument as a member of a launch packet. */
static void put_packed(FILE *out, const struct cb_merge_var *v)
{
    fprintf(out, "%s %s", v->is_pointer ? "ulong" : v->type, v->name);
}

/* Writes an argument as it is read from a launch packet. */
static void put_unpacked(FILE *out, const struct cb_merge_var *v)
{
    if (v->is_pointer)
        fprintf(out, "(%s)(%s + packet->%s)", v->type, v->is_local_pointer ? "room" : "arena",
                v->name);
    else
        fprintf(out, "packet->%s", v->name);
}

/* What a kernel that submits the task says in its place, in the packet. */
static void put_argument(FILE *out, const struct cb_merge_var *v)
{
    if (v->is_pointer && !v->is_local_pointer)
        fprintf(out, "(ulong)(%s) - (ulong)(task_arena)", v->name);
    else
        fprintf(out, "(%s)", v->name);
}

static void write_structure(struct cb_merge_writer *w, const char *what)
{
    bool local = strcmp(what, "local") == 0;
    fputs("typedef struct {", w->out);
    if (!local)
        fputs("\n    uint task_point;", w->out);
    if (!cb_merge_write_fields(w, local, "", "\n") && local)
        fputs("\n    uint task_unused;", w->out);
    fprintf(w->out, "\n} %s_%s;\n", name_of(w), what);
}

/* Images as parameters of all functions on the way to the kernel's own, and as arguments of their
 * calls. */
static void write_images(struct cb_merge_writer *w)
{
    fprintf(w->out, "#define %s_images ", name_of(w));
    write_some(w, IMAGES, put_declared_after, "");
    fprintf(w->out, "\n#define %s_image_names ", name_of(w));
    write_some(w, IMAGES, put_value_after, "");
    fputc('\n', w->out);
}

static void write_types(struct cb_merge_writer *w)
{
    fputs("typedef struct {\n    ", w->out);
    fprintf(w->out, "%s;\n} %s_args;\n",
            write_parameters(w, put_declared, ";\n    ") ? "" : "uint task_unused", name_of(w));
    write_structure(w, "state");
    write_structure(w, "local");
    write_images(w);
}

static void write_head(struct cb_merge_writer *w)
{
    fputs("\n/* Ids and sizes of the task's NDRange. */\n", w->out);
    for (const struct cb_merge_id_name *i = cb_merge_ids; i->source; i++)
        if (i->task)
            fprintf(w->out, "#define %s(%s) %s\n", i->source, i->is_of_dimension ? "d" : "",
                    i->task);
    fputc('\n', w->out);
}

static void write_function(struct cb_merge_writer *w)
{
    const char *name = name_of(w);
    fprintf(w->out,
            "TASK_FUNCTION uint %s_task(const %s_args *task_a, %s_state *task_s,\n"
            "    local %s_local *task_l, const task_view task_v",
            name, name, name, name);
    for (int v = 0; v < w->u->n_vars; v++)
        if (w->u->vars[v].is_parameter && cb_layout_is_opaque(&w->u->vars[v].layout))
            fprintf(w->out, ", %s %s", opaque_type(w, &w->u->vars[v].layout), w->u->vars[v].name);
    fputs(")\n{\n", w->out);
    cb_merge_write_names(w);
    fputs("    task_begin();\n", w->out);
}

static bool has_return(const struct cb_merge_node *n)
{
    bool found = n->kind == CB_MERGE_RETURN;
    for (const struct cb_merge_node *c = n->first; c && !found; c = c->next)
        found = has_return(c);
    return found;
}

/* Whether a work-item may end before the others are at their last barrier: a return in or before
 * the last statement of the kernel that has one. */
static bool ends_early(const struct cb_merge_node *body)
{
    bool returns = false, early = false;
    for (const struct cb_merge_node *c = body->first; c; c = c->next) {
        returns |= has_return(c);
        early |= returns && cb_merge_has_point(c, CB_NO_POINT);
    }
    return early;
}

/* Whether a work-item knows which workgroup it is in. */
static bool asks_group(const struct cb_merge_unit *u)
{
    bool asks = false;
    for (int f = 0; f < u->n_functions; f++)
        asks |= (u->functions[f].is_called || f == u->kernel) && u->functions[f].asks_group;
    return asks;
}

static const char *kind_of(const struct cb_merge_unit *u)
{
    if (!cb_merge_is_together(u))
        return asks_group(u) ? "APART" : "APART_IN_ROWS";
    return ends_early(u->body) ? "TOGETHER_EARLY" : "TOGETHER";
}

void cb_merge_write_packet(struct cb_merge_writer *w)
{
    const char *name = name_of(w);
    if (w->has_packet)
        return;
    w->has_packet = true;
    fputs("\ntypedef struct {\n    ", w->out);
    fprintf(w->out, "%s;\n} %s_packet;\n#define %s_pack(task_arena",
            write_parameters(w, put_packed, ";\n    ") ? "" : "uint task_unused", name, name);
    fputs(write_parameters(w, put_value_after, "") ? ") {" : ") {0", w->out);
    write_parameters(w, put_argument, ", ");
    fprintf(w->out, "}\n#define %s_submit(task_range", name);
    write_parameters(w, put_value_after, "");
    fprintf(w->out, ") COOP_SUBMIT_AS(%s, task_range, %s_pack(COOP_SUBMITTER.arena", name, name);
    write_parameters(w, put_value_after, "");
    fputs("))\n", w->out);
}

static void write_unpack(struct cb_merge_writer *w)
{
    const char *name = name_of(w);
    fprintf(w->out,
            "static inline %s_args %s_unpack(const global %s_packet *packet, global uchar *arena,\n"
            "    local uchar *room)\n{\n    (void)packet, (void)arena, (void)room;\n"
            "    const %s_args args = {",
            name, name, name, name);
    fprintf(w->out, "%s};\n    return args;\n}\n",
            write_parameters(w, put_unpacked, ",\n        ") ? "" : "0");
}

/* What a trial does with each argument in local memory. Returns how many there are. */
static int write_for_locals(struct cb_merge_writer *w, const char *what)
{
    int i = 0;
    for (int v = 0; v < w->u->n_vars; v++)
        if (w->u->vars[v].is_parameter && w->u->vars[v].is_local_pointer) {
            const char *name = w->u->vars[v].name;
            fprintf(w->out, "    %s(arg_%s, TASK_BYTES_OF_%s, %d)\n", what, name, name, i++);
        }
    return i;
}

/* What works off some of its workgroups, and a launch that does nothing else. */
static void write_tail(struct cb_merge_writer *w)
{
    const char *name = name_of(w);
    for (const struct cb_merge_id_name *i = cb_merge_ids; i->source; i++)
        if (i->task)
            fprintf(w->out, "#undef %s\n", i->source);
    for (uint32_t at = 0, size; cb_merge_next_macro(w->u, &at, &size); at += size)
        fprintf(w->out, "#undef %.*s\n", (int)size, w->u->code + at);
    fprintf(w->out, "\nTASK_%s(%s)\n\nkernel void %s(", kind_of(w->u), name, name);
    fputs(write_some(w, ALL, put_declared, ", ") ? ", " : "", w->out);
    fprintf(w->out,
            "uint4 task_groups,\n    uint4 task_items, ulong4 task_offset TASK_OUTSIDE)\n{\n"
            "    local struct {\n        %s_local own;\n        TASK_ZONE_AFTER\n"
            "    } task_local;\n    local uint task_again;\n",
            name);
    fputs("    TASK_SPOIL(&task_local, sizeof task_local)\n", w->out);
    write_for_locals(w, "TASK_SPOIL_ARGUMENT");
    fprintf(w->out, "    const %s_args task_args = {", name);
    fprintf(w->out,
            "%s};\n    const task_range range = {task_groups, task_items, task_offset};\n"
            "    %s_share(&task_args, &task_local.own, &task_again, range, (uint)get_group_id(0),\n"
            "        (uint)get_num_groups(0), (uint)get_local_id(0), (uint)get_local_size(0)\n"
            "        %s_image_names);\n",
            write_parameters(w, put_value, ", ") ? "" : "0", name, name);
    const int n = write_for_locals(w, "TASK_FIND_OUTSIDE");
    fprintf(w->out, "    TASK_FIND_AFTER(task_local, %d)\n}\n", n);
}

void cb_merge_write_task(struct cb_merge_writer *w)
{
    cb_merge_share_constants(w->u);
    cb_merge_write_text(w, write_head, write_types, write_function);
    write_tail(w);
    cb_merge_write_packet(w);
    write_unpack(w);
}
