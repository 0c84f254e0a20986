/* SPDX-License-Identifier: Apache-2.0
 *
 * The merged text: what the user wrote, with the kernel's frame around it. Variables of the state
 * are plain variables within a phase: read at its beginning, written back at the point that ends
 * it. So the user's statements stay as they are.
 */
#include "runtime/merge/write.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Edits ----------------------------------------------------------------------------------- */

static void edit(struct cb_merge_writer *w, uint32_t begin, uint32_t end, const char *text)
{
    struct cb_merge_edit *edits = realloc(w->edits, ((size_t)w->n_edits + 1) * sizeof *edits);
    if (!edits)
        abort();
    w->edits = edits;
    edits[w->n_edits++] = (struct cb_merge_edit){begin, end, text};
}

static int by_place(const void *a, const void *b)
{
    const struct cb_merge_edit *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* The text between two places, with the edits there so far. */
static void copy_text(const struct cb_merge_writer *w, FILE *out, uint32_t begin, uint32_t end)
{
    for (int i = 0; i < w->n_edits; i++) {
        const struct cb_merge_edit *e = &w->edits[i];
        if (e->begin < begin || e->end > end)
            continue;
        fwrite(w->u->text + begin, 1, e->begin - begin, out);
        fputs(e->text, out);
        begin = e->end;
    }
    fwrite(w->u->text + begin, 1, end - begin, out);
}

static void sort_edits(struct cb_merge_writer *w)
{
    if (w->n_edits > 0)
        qsort(w->edits, (size_t)w->n_edits, sizeof *w->edits, by_place);
}

/* So that compilers name the line that the user wrote. */
static void write_line(struct cb_merge_writer *w, uint32_t at)
{
    char path[512];
    unsigned line, column;
    cb_merge_written_at(w->u, at, path, sizeof path, &line, &column);
    fprintf(w->out, "#line %u \"%s\"\n", line, path);
}

/* Where a variable in place lies. */
static const char *place_of(const struct cb_merge_writer *w, const struct cb_merge_var *v)
{
    return cb_merge_word(w->u, v->is_local ? 'l' : 's');
}

/* ---- Statements ------------------------------------------------------------------------------ */

static bool is_saved(const struct cb_merge_var *v)
{
    return v->lives && !cb_merge_is_in_place(v);
}

/* Before a point, what is read after it goes into the state; what lies in place is there anyway. */
static void edit_point(struct cb_merge_writer *w, const struct cb_merge_node *n)
{
    char *text = NULL;
    size_t size = 0;
    int saved = 0;
    FILE *out = open_memstream(&text, &size);
    for (int v = 0; v < w->u->n_vars; v++)
        saved += is_saved(&w->u->vars[v]) && cb_merge_has(&n->live, v);
    fputs(saved ? "do { " : "", out); /* one statement, as the point was */
    for (int v = 0; v < w->u->n_vars; v++) {
        const struct cb_merge_var *var = &w->u->vars[v];
        if (is_saved(var) && cb_merge_has(&n->live, v))
            fprintf(out, "%s->%s = %s; ", cb_merge_word(w->u, 's'), var->name, var->name);
    }
    fprintf(out, "%s(", w->u->is_task ? "task_barrier" : cb_merge_row_of(n)->ours);
    if (n->number)
        fprintf(out, "%d", n->number);
    fprintf(out, ")%s", saved ? "; } while (0)" : "");
    edit(w, n->begin, n->end, cb_merge_made(w->u, out, &text, &size));
}

void cb_merge_put_type(FILE *out, const struct cb_merge_var *v, bool is_const)
{
    size_t n = strlen(v->type);
    const char *array = strstr(v->type, "(*)"); /* what it points to */
    if (array)
        fprintf(out, "%.*s%s%s%s%s", (int)(array + 2 - v->type), v->type, is_const ? "const " : "",
                v->name, v->dimensions, array + 2);
    else
        fprintf(out, "%s%s%s%s%s", v->type, n && v->type[n - 1] == '*' ? "" : " ",
                is_const ? "const " : "", v->name, v->dimensions);
}

/* Up to the next variable, or the end of the declaration: libclang's ends are before a bracket, or
 * where a macro begins. */
static uint32_t end_of_init(const struct cb_merge_unit *u, uint32_t at)
{
    int depth = 0;
    for (; u->code[at] && (depth > 0 || !strchr(",;", u->code[at])); at++) {
        depth += strchr("([{", u->code[at]) != NULL;
        depth -= strchr(")]}", u->code[at]) != NULL;
    }
    return at;
}

static void put_init(const struct cb_merge_writer *w, FILE *out, const struct cb_merge_var *v)
{
    const struct cb_merge_unit *u = w->u;
    uint32_t from = v->init;
    while (isspace((unsigned char)u->text[from]))
        from++;
    fprintf(out, " = ");
    if (v->is_list && cb_merge_is_moved(v))
        fprintf(out, "(%s)", v->type);
    copy_text(w, out, from, end_of_init(u, from));
}

/* An array in the state begins as another that is there for that. */
static void put_array(const struct cb_merge_writer *w, FILE *out, const struct cb_merge_var *v)
{
    uint32_t end = end_of_init(w->u, v->init);
    fprintf(out, "do { const %s %s_begin%s =", v->type, v->name, v->dimensions);
    copy_text(w, out, v->init, end);
    fprintf(out,
            "; for (uint %s_i = 0; %s_i < sizeof(%s_begin) / sizeof(%s); %s_i++) "
            "((%s *)%s%s%s)[%s_i] = ((const %s *)%s_begin)[%s_i]; } while (0)",
            v->name, v->name, v->name, v->type, v->name, v->type,
            v->is_used_by_macro ? "" : cb_merge_word(w->u, 's'), v->is_used_by_macro ? "" : "->",
            v->name, v->name, v->type, v->name, v->name);
}

/* One statement becomes one for each variable that begins with something. */
static void edit_declaration(struct cb_merge_writer *w, const struct cb_merge_node *n,
                             bool is_in_for)
{
    char *text = NULL;
    size_t size = 0;
    int moved = 0, arrays = 0, all = 0, put = 0;
    FILE *out = open_memstream(&text, &size);
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        if (c->kind == CB_MERGE_BEGINS) {
            all++;
            moved += cb_merge_is_moved(&w->u->vars[c->which]);
            arrays += w->u->vars[c->which].lives && *w->u->vars[c->which].dimensions;
        }
    for (const struct cb_merge_node *c = n->first; c; c = c->next) {
        if (c->kind != CB_MERGE_BEGINS)
            continue;
        const struct cb_merge_var *v = &w->u->vars[c->which];
        if (cb_merge_is_moved(v) && !v->init)
            continue;
        fputs(put++ ? is_in_for ? ", " : "; " : "", out);
        if (v->lives && *v->dimensions) {
            put_array(w, out, v);
            continue;
        }
        if (cb_merge_is_in_place(v) && !v->is_used_by_macro)
            fprintf(out, "%s->%s", place_of(w, v), v->name);
        else if (cb_merge_is_moved(v))
            fputs(v->name, out);
        else
            cb_merge_put_type(out, v, false);
        if (v->init)
            put_init(w, out, v);
    }
    fputc(';', out);
    char *kept = cb_merge_made(w->u, out, &text, &size);
    if (arrays > 0 && is_in_for)
        cb_merge_problem(w->u, n->begin,
                         "an array lives across a point: declare it before the loop");
    if (moved > 0 && is_in_for && moved < all)
        cb_merge_problem(
            w->u, n->begin,
            "some of these variables live across a point: declare them before the loop");
    if (moved > 0 && cb_merge_has_directive(w->u, n->begin, n->end))
        cb_merge_problem(w->u, n->begin,
                         "#if within a declaration of what lives across a point, or "
                         "lies in local memory: put it around the whole");
    if (moved > 0)
        edit(w, n->begin, n->end, kept);
}

static void edit_statements(struct cb_merge_writer *w, const struct cb_merge_node *n)
{
    if (n->kind == CB_MERGE_POINT)
        edit_point(w, n);
    else if (n->kind == CB_MERGE_RETURN)
        edit(w, n->begin, n->end, w->u->is_task ? "return TASK_DONE" : "return COOP_DONE");
    else if (n->kind == CB_MERGE_DECLARES)
        edit_declaration(w, n, false);
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        if (n->kind == CB_MERGE_FOR && c == n->first && c->kind == CB_MERGE_DECLARES)
            edit_declaration(w, c, true);
        else
            edit_statements(w, c);
}

/* ---- Functions ------------------------------------------------------------------------------- */

static uint32_t next_line(const struct cb_merge_unit *u, uint32_t at)
{
    at += (uint32_t)strcspn(u->code + at, "\n");
    return u->code[at] ? at + 1 : at;
}

/* Whether a line is a directive that means something to the text after it: no pragma. */
static bool is_kept(const char *line)
{
    static const char *const words[] = {"if", "el", "endif", "define", "undef"};
    line += strspn(line, " \t");
    const char *word = line + 1 + strspn(*line ? line + 1 : line, " \t");
    for (size_t i = 0; i < CB_COUNTOF(words) && *line == '#'; i++)
        if (strncmp(word, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* What is left of a text that is taken away: its directives, of which an #if may have begun before
 * it, or end after it. */
static const char *directives_of(struct cb_merge_writer *w, uint32_t begin, uint32_t end)
{
    const struct cb_merge_unit *u = w->u;
    char *kept = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&kept, &size);
    fputc('\n', out);
    bool goes_on = false;
    for (uint32_t at = next_line(u, begin), after; at < end; at = after) {
        after = next_line(u, at);
        goes_on |= is_kept(u->code + at);
        if (goes_on)
            fwrite(u->text + at, 1, after - at, out);
        goes_on = goes_on && after >= at + 2 && u->code[after - 2] == '\\';
    }
    return cb_merge_made(w->u, out, &kept, &size);
}

/* A helper that asks for ids is given the kernel's view. What is not called, and has points in it,
 * goes. */
static void edit_helpers(struct cb_merge_writer *w)
{
    const char *view = w->u->is_task ? ", const task_view task_v" : ", const coop_view coop_v";
    const char *given = w->u->is_task ? ", task_v" : ", coop_v";
    for (int i = 0; i < w->u->n_functions; i++) {
        const struct cb_merge_function *f = &w->u->functions[i];
        const bool has_point = f->reaches && !f->is_called && i != w->u->kernel &&
                               cb_merge_stands_at(w->u, f->name_at, f->name);
        if ((f->is_kernel || has_point) && i != w->u->kernel)
            edit(w, f->begin, f->end,
                 cb_merge_has_directive(w->u, f->begin, f->end) ? directives_of(w, f->begin, f->end)
                                                                : "");
        if (!f->needs_view)
            continue;
        if (cb_merge_has_directive(w->u, f->parameters, f->parameters_end))
            cb_merge_problem(w->u, f->parameters,
                             "#if within the parameters of %s(), which asks for "
                             "ids: put it around the function",
                             f->name);
        if (f->is_empty)
            edit(w, f->parameters, f->parameters_end, view + strlen(", "));
        else
            edit(w, f->parameters_end, f->parameters_end, view);
        for (int c = 0; c < f->n_call_ends; c++)
            edit(w, f->call_ends[c], f->call_ends[c],
                 given + (f->call_is_empty[c] ? strlen(", ") : 0));
    }
}

static bool is_kernel(const struct cb_merge_unit *u, const char *name, size_t length)
{
    for (int i = 0; i < u->n_functions; i++)
        if (u->functions[i].is_kernel && strlen(u->functions[i].name) == length &&
            strncmp(u->functions[i].name, name, length) == 0)
            return true;
    return false;
}

/* submit_task(NAME, ...) becomes NAME_submit(...), which the task has (kernels/coop/submit.clh). */
static void edit_submissions(struct cb_merge_writer *w)
{
    static const char blanks[] = " \t\r\n";
    const struct cb_merge_unit *u = w->u;
    const size_t length = strlen(CB_MERGE_SUBMIT);
    for (const char *at = u->code; (at = cb_merge_find_word(u, at, CB_MERGE_SUBMIT)); at++) {
        const char *open = at + length + strspn(at + length, blanks),
                   *name = open + strspn(open, "(") + strspn(open + strspn(open, "("), blanks),
                   *comma = name + strspn(name, CB_MERGE_LETTERS);
        const size_t n = (size_t)(comma - name);
        comma += strspn(comma, blanks);
        if (*open != '(' || *comma != ',' || !is_kernel(u, name, n)) {
            cb_merge_problem(w->u, (uint32_t)(at - u->code),
                             CB_MERGE_SUBMIT "() names its task first, by the name of a kernel");
            continue;
        }
        char *text = cb_merge_keep(w->u, n + sizeof "_submit");
        snprintf(text, n + sizeof "_submit", "%.*s_submit", (int)n, name);
        edit(w, (uint32_t)(at - u->code), (uint32_t)(at - u->code + (ptrdiff_t)length), text);
        edit(w, (uint32_t)(name - u->code), (uint32_t)(comma + 1 - u->code), "");
    }
}

/* ---- Variables ------------------------------------------------------------------------------- */

/* Whether a variable before it, of a block beside, has the same field. */
static bool has_field(const struct cb_merge_unit *u, int var)
{
    for (int o = 0; o < var; o++)
        if (u->vars[o].lives == u->vars[var].lives && cb_merge_is_moved(&u->vars[o]) &&
            strcmp(u->vars[o].name, u->vars[var].name) == 0)
            return true;
    return false;
}

bool cb_merge_is_local_argument(const struct cb_merge_unit *u, const struct cb_merge_var *v)
{
    return !u->is_task && v->is_parameter && v->is_local_pointer;
}

/* An argument in local memory as a member of a structure: it has as many elements as a macro says.
 */
static void make_array(struct cb_merge_unit *u, struct cb_merge_var *v)
{
    const size_t n = strlen(CB_MERGE_COUNT_OF) + strlen(v->name) + sizeof "[]";
    char *dimensions = cb_merge_keep(u, n);
    snprintf(dimensions, n, "[" CB_MERGE_COUNT_OF "%s]", v->name);
    v->type = cb_merge_keep_text(u, v->type, (size_t)(strrchr(v->type, '*') - v->type));
    v->dimensions = dimensions;
}

bool cb_merge_write_fields(struct cb_merge_writer *w, bool local, const char *before,
                           const char *after)
{
    bool any = false;
    for (int v = 0; v < w->u->n_vars; v++) {
        struct cb_merge_var var = w->u->vars[v];
        const bool is_argument = cb_merge_is_local_argument(w->u, &var);
        if (!(local ? var.is_local || is_argument : var.lives) || has_field(w->u, v))
            continue;
        fprintf(w->out, "%s%s    ", any ? "" : before, after);
        if (is_argument)
            make_array(w->u, &var);
        char *word = local ? strstr(var.type, "local ") : NULL;
        if (word) /* it is of the whole structure */
            memmove(word, word + strlen("local "), strlen(word + strlen("local ")) + 1);
        cb_merge_put_type(w->out, &var, false);
        fprintf(w->out, "%s%s;", *var.attribute ? " " : "", var.attribute);
        any = true;
    }
    return any;
}

/* Whether the type says it, of the variable itself. */
static bool is_const(const struct cb_merge_var *v)
{
    const char *pointer = strrchr(v->type, '*');
    return strstr(pointer ? pointer : v->type, "const") != NULL;
}

void cb_merge_write_names(struct cb_merge_writer *w)
{
    const char *state = cb_merge_word(w->u, 's');
    for (int i = 0; i < w->u->n_vars; i++) {
        const struct cb_merge_var *v = &w->u->vars[i];
        if (!(v->is_parameter || (v->lives && !has_field(w->u, i))) || cb_merge_is_in_place(v) ||
            cb_layout_is_opaque(&v->layout)) /* the function has it as a parameter */
            continue;
        fputs("    ", w->out);
        cb_merge_put_type(w->out, v, v->is_parameter && !v->may_be_written && !is_const(v));
        fputs(" = ", w->out);
        if (v->is_parameter && v->lives) /* before the first point, as it was given */
            fprintf(w->out, "%s->task_point ? %s->%s : ", state, state, v->name);
        if (cb_merge_is_local_argument(w->u, v))
            fprintf(w->out, "%s->%s;\n", cb_merge_word(w->u, 'l'), v->name);
        else
            fprintf(w->out, v->is_parameter ? "%s->arg_%s;\n" : "%s->%s;\n",
                    v->is_parameter ? cb_merge_word(w->u, 'a') : state, v->name);
    }
}

/* Around the function: the names of arrays and of local memory that macros use. */
static void write_macros(struct cb_merge_writer *w, bool ends)
{
    for (int i = 0; i < w->u->n_vars; i++) {
        const struct cb_merge_var *v = &w->u->vars[i];
        if (!v->is_used_by_macro || has_field(w->u, i))
            continue;
        if (ends)
            fprintf(w->out, "#undef %s\n", v->name);
        else
            fprintf(w->out, "#define %s %s->%s\n", v->name, place_of(w, v), v->name);
    }
}

/* Calls take(w, variable, node) for each use of what lies in place or has another name, in the
 * order of the text. */
static void go_through_uses(struct cb_merge_writer *w, const struct cb_merge_node *n,
                            void (*take)(struct cb_merge_writer *w, struct cb_merge_var *v,
                                         const struct cb_merge_node *n))
{
    bool is_use = n->kind == CB_MERGE_READS || n->kind == CB_MERGE_WRITES;
    if (is_use && (w->u->vars[n->which].given || cb_merge_is_in_place(&w->u->vars[n->which])))
        take(w, &w->u->vars[n->which], n);
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        go_through_uses(w, c, take);
}

/* One that a macro uses is a macro itself: its name stands for where it lies, everywhere. */
static void mark_use(struct cb_merge_writer *w, struct cb_merge_var *v,
                     const struct cb_merge_node *n)
{
    if (cb_merge_stands_at(w->u, n->begin, v->given ? v->given : v->name))
        return;
    if (v->given)
        cb_merge_problem(w->u, n->begin,
                         "%s lives across a point, something else has its name, and a macro uses "
                         "it: rename one",
                         v->given);
    for (int i = 0; i < w->u->n_vars; i++) /* of the same name, in another block */
        w->u->vars[i].is_used_by_macro |=
            strcmp(w->u->vars[i].name, v->name) == 0 && cb_merge_is_in_place(&w->u->vars[i]);
}

static void edit_use(struct cb_merge_writer *w, struct cb_merge_var *v,
                     const struct cb_merge_node *n)
{
    if (v->is_used_by_macro)
        return;
    const char *given = v->given ? v->given : v->name;
    size_t size = strlen(v->name) + 16;
    char *text = cb_merge_keep(w->u, size);
    if (cb_merge_is_in_place(v))
        snprintf(text, size, "%s->%s", place_of(w, v), v->name);
    else
        snprintf(text, size, "%s", v->name);
    edit(w, n->begin, n->begin + (uint32_t)strlen(given), text);
}

/* A kernel that is only declared is a task, which the program has before this text. */
static void edit_declarations(struct cb_merge_writer *w)
{
    for (int f = 0; f < w->u->n_functions; f++) {
        const struct cb_merge_function *task = &w->u->functions[f];
        const char *end = strchr(w->u->code + task->end, ';');
        if (task->is_kernel && !task->has_body && end)
            edit(w, task->begin, (uint32_t)(end + 1 - w->u->code), "");
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

void cb_merge_write_text(struct cb_merge_writer *w, void (*head)(struct cb_merge_writer *w),
                         void (*types)(struct cb_merge_writer *w),
                         void (*function)(struct cb_merge_writer *w))
{
    const struct cb_merge_function *kernel = &w->u->functions[w->u->kernel];
    const struct cb_merge_node *body = w->u->body;
    uint32_t begin = cb_merge_split(w->u);
    copy_text(w, w->out, 0, begin);
    head(w);
    write_line(w, begin);
    copy_text(w, w->out, begin, kernel->begin);
    fputc('\n', w->out);
    if (types)
        types(w);
    write_macros(w, false);
    function(w);
    write_line(w, body->begin);
    copy_text(w, w->out, body->begin, body->end);
    fputs(w->u->is_task ? "\n    task_end();\n}\n" : "\n    coop_end();\n}\n", w->out);
    write_macros(w, true);
    write_line(w, kernel->end);
    copy_text(w, w->out, kernel->end, (uint32_t)strlen(w->u->text));
    fputc('\n', w->out);
}

enum cb_status cb_merge_prepare(struct cb_merge_writer *w, const char *path, const char *name,
                                struct cb_err *err)
{
    struct cb_merge_unit *u = w->u;
    if (cb_merge_parse(u, path, name, err) != CB_OK)
        return err->status;
    cb_merge_check(u);
    edit_declarations(w);
    edit_submissions(w);
    edit_helpers(w); /* declarations contain calls of them, and uses */
    go_through_uses(w, u->body, mark_use);
    go_through_uses(w, u->body, edit_use);
    sort_edits(w);
    edit_statements(w, u->body);
    sort_edits(w);
    return cb_merge_verdict(u, err);
}
