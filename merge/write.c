/* SPDX-License-Identifier: Apache-2.0
 *
 * The merged text: what the user wrote, with the kernel's frame around it. Variables of the state
 * are plain variables within a phase: read at its beginning, written back at the point that ends
 * it. So the user's statements stay as they are.
 */
#include "merge/merge.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "merge/unit.h"
#include "runtime/source.h"

/* ---- Edits ----------------------------------------------------------------------------------- */

struct edit {
    uint32_t begin, end;
    const char *text;
};

struct writer {
    struct cb_merge_unit *u;
    FILE *out;
    struct edit *edits;
    int n_edits;
};

static void edit(struct writer *w, uint32_t begin, uint32_t end, const char *text)
{
    struct edit *edits = realloc(w->edits, ((size_t)w->n_edits + 1) * sizeof *edits);
    if (!edits)
        abort();
    w->edits = edits;
    edits[w->n_edits++] = (struct edit){begin, end, text};
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* The text between two places, with the edits there so far. */
static void copy(const struct writer *w, FILE *out, uint32_t begin, uint32_t end)
{
    for (int i = 0; i < w->n_edits; i++) {
        const struct edit *e = &w->edits[i];
        if (e->begin < begin || e->end > end)
            continue;
        fwrite(w->u->text + begin, 1, e->begin - begin, out);
        fputs(e->text, out);
        begin = e->end;
    }
    fwrite(w->u->text + begin, 1, end - begin, out);
}

static void sort_edits(struct writer *w)
{
    if (w->n_edits > 0)
        qsort(w->edits, (size_t)w->n_edits, sizeof *w->edits, by_place);
}

/* So that compilers name the line that the user wrote. */
static void write_line(struct writer *w, uint32_t at)
{
    char path[512];
    unsigned line, column;
    cb_merge_written_at(w->u, at, path, sizeof path, &line, &column);
    fprintf(w->out, "#line %u \"%s\"\n", line, path);
}

/* What was written to a stream in memory. */
static char *made(struct writer *w, char **text, FILE *stream, const size_t *size)
{
    fclose(stream);
    char *kept = cb_merge_keep_text(w->u, *text, *size);
    free(*text);
    return kept;
}

/* ---- Statements ------------------------------------------------------------------------------ */

/* Before a point, what is read after it goes into the state; arrays are there anyway. */
static void edit_point(struct writer *w, const struct cb_merge_node *n)
{
    char *text = NULL;
    size_t size = 0;
    int saved = 0;
    FILE *out = open_memstream(&text, &size);
    for (int v = 0; v < w->u->n_vars; v++)
        saved += w->u->vars[v].lives && !*w->u->vars[v].dimensions && cb_merge_has(&n->live, v);
    fputs(saved ? "do { " : "", out); /* one statement, as the point was */
    for (int v = 0; v < w->u->n_vars; v++) {
        const struct cb_merge_var *var = &w->u->vars[v];
        if (var->lives && !*var->dimensions && cb_merge_has(&n->live, v))
            fprintf(out, "S->%s = %s; ", var->name, var->name);
    }
    fprintf(out, "%s()%s", cb_merge_row_of(n)->ours, saved ? "; } while (0)" : "");
    edit(w, n->begin, n->end, made(w, &text, out, &size));
}

static void put_type(FILE *out, const struct cb_merge_var *v, bool is_const)
{
    size_t n = strlen(v->type);
    fprintf(out, "%s%s%s%s%s", v->type, n && v->type[n - 1] == '*' ? "" : " ",
            is_const ? "const " : "", v->name, v->dimensions);
}

/* Those in the state and in local memory are declared elsewhere. */
static bool is_moved(const struct cb_merge_var *v)
{
    return v->lives || v->is_local;
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

static void put_init(const struct writer *w, FILE *out, const struct cb_merge_var *v)
{
    const struct cb_merge_unit *u = w->u;
    uint32_t from = v->init;
    while (isspace((unsigned char)u->text[from]))
        from++;
    bool is_list = u->text[from] == '{';
    fprintf(out, " = ");
    if (is_list && is_moved(v))
        fprintf(out, "(%s)", v->type);
    copy(w, out, from, end_of_init(u, from));
}

/* One statement becomes one for each variable that begins with something. */
static void edit_declaration(struct writer *w, const struct cb_merge_node *n, bool is_in_for)
{
    char *text = NULL;
    size_t size = 0;
    int moved = 0, all = 0, put = 0;
    FILE *out = open_memstream(&text, &size);
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        if (c->kind == CB_MERGE_BEGINS) {
            all++;
            moved += is_moved(&w->u->vars[c->which]);
        }
    for (const struct cb_merge_node *c = n->first; c; c = c->next) {
        if (c->kind != CB_MERGE_BEGINS)
            continue;
        const struct cb_merge_var *v = &w->u->vars[c->which];
        if (is_moved(v) && !v->init)
            continue;
        fputs(put++ ? is_in_for ? ", " : "; " : "", out);
        if (is_moved(v))
            fputs(v->name, out);
        else
            put_type(out, v, false);
        if (v->init)
            put_init(w, out, v);
    }
    fputc(';', out);
    char *kept = made(w, &text, out, &size);
    if (moved > 0 && is_in_for && moved < all)
        cb_merge_problem(
            w->u, n->begin,
            "some of these variables live across a point: declare them before the loop");
    if (moved > 0)
        edit(w, n->begin, n->end, kept);
}

static void edit_statements(struct writer *w, const struct cb_merge_node *n)
{
    if (n->kind == CB_MERGE_POINT)
        edit_point(w, n);
    else if (n->kind == CB_MERGE_RETURN)
        edit(w, n->begin, n->end, "return COOP_DONE");
    else if (n->kind == CB_MERGE_DECLARES)
        edit_declaration(w, n, false);
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        if (n->kind == CB_MERGE_FOR && c == n->first && c->kind == CB_MERGE_DECLARES)
            edit_declaration(w, c, true);
        else
            edit_statements(w, c);
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* A helper that asks for ids is given the kernel's view. */
static void edit_helpers(struct writer *w)
{
    for (int i = 0; i < w->u->n_functions; i++) {
        const struct cb_merge_function *f = &w->u->functions[i];
        if (f->is_kernel && i != w->u->kernel)
            edit(w, f->begin, f->end, "");
        if (!f->needs_view)
            continue;
        if (f->is_empty)
            edit(w, f->parameters, f->parameters_end, "const coop_view V");
        else
            edit(w, f->parameters_end, f->parameters_end, ", const coop_view V");
        for (int c = 0; c < f->n_call_ends; c++)
            edit(w, f->call_ends[c], f->call_ends[c], f->call_is_empty[c] ? "V" : ", V");
    }
}

/* ---- The frame ------------------------------------------------------------------------------- */

/* Whether one before it, of a block beside, has the same field. */
static bool has_field(const struct cb_merge_unit *u, int var)
{
    for (int o = 0; o < var; o++)
        if (u->vars[o].lives == u->vars[var].lives && is_moved(&u->vars[o]) &&
            strcmp(u->vars[o].name, u->vars[var].name) == 0)
            return true;
    return false;
}

static void write_fields(struct writer *w, const char *name, bool local)
{
    bool any = false;
    for (int v = 0; v < w->u->n_vars; v++) {
        struct cb_merge_var var = w->u->vars[v];
        if (!(local ? var.is_local : var.lives) || has_field(w->u, v))
            continue;
        fprintf(w->out, "%s    ", any ? " \\\n" : name);
        char *word = local ? strstr(var.type, "local ") : NULL;
        if (word) /* it is of the whole structure */
            memmove(word, word + strlen("local "), strlen(word + strlen("local ")) + 1);
        put_type(w->out, &var, false);
        fputc(';', w->out);
        any = true;
    }
    fputs(any ? "\n" : "", w->out);
}

static void write_frame(struct writer *w)
{
    fputs("\n#define COOP_ARGS(X)", w->out);
    for (int v = 0; v < w->u->n_vars; v++)
        if (w->u->vars[v].is_parameter)
            fprintf(w->out, " \\\n    X(%s, arg_%s)", w->u->vars[v].type, w->u->vars[v].name);
    fputc('\n', w->out);
    write_fields(w, "#define COOP_TRANSMIT \\\n", false);
    write_fields(w, "#define COOP_LOCAL \\\n", true);
    if (cb_merge_has_point(w->u->body, CB_OFFER_KILL) ||
        cb_merge_has_point(w->u->body, CB_REQUEST_FORK))
        fputs("#define COOP_USES_OFFERS\n", w->out);
    fputs("#include \"coop.clh\"\n\n#define transmit\n"
          "/* Ids and sizes of the active workgroups. */\n",
          w->out);
    for (const struct cb_merge_id_name *i = cb_merge_ids; i->ours; i++)
        if (i->otherwise)
            fprintf(w->out, "#define %s(d) ((d) == 0 ? (size_t)%s : %s)\n", i->source, i->ours,
                    i->otherwise);
        else
            fprintf(w->out, "#define %s() ((size_t)%s)\n", i->source, i->ours);
    fputc('\n', w->out);
}

/* Whether each use of a variable is edited: it lies in the state or in local memory, and has no
 * copy in a phase. */
static bool is_in_place(const struct cb_merge_var *v)
{
    return v->is_local || (v->lives && *v->dimensions);
}

/* Parameters and the state under the names that the user gave them. */
static void write_names(struct writer *w)
{
    for (int v = 0; v < w->u->n_vars; v++) {
        struct cb_merge_var var = w->u->vars[v];
        if (!(var.is_parameter || (var.lives && !has_field(w->u, v))) || is_in_place(&var))
            continue;
        fputs("    ", w->out);
        put_type(w->out, &var, var.is_parameter);
        fprintf(w->out, " = %s%s;\n", var.is_parameter ? "A->arg_" : "S->", var.name);
    }
}

/* Uses of what lies in place, in the order of the text. */
static void edit_uses(struct writer *w, const struct cb_merge_node *n)
{
    bool is_use = n->kind == CB_MERGE_READS || n->kind == CB_MERGE_WRITES;
    const struct cb_merge_var *v = is_use ? &w->u->vars[n->which] : NULL;
    if (v && is_in_place(v)) {
        size_t size = strlen(v->name) + 4;
        char *text = cb_merge_keep(w->u, size);
        snprintf(text, size, "%s->%s", v->is_local ? "L" : "S", v->name);
        uint32_t at = n->begin;
        if (strncmp(w->u->code + at, v->name, strlen(v->name)) == 0)
            edit(w, at, at + (uint32_t)strlen(v->name), text);
        else
            cb_merge_problem(w->u, at, "%s is used by a macro, and lies in %s: use it directly",
                             v->name, v->is_local ? "local memory" : "the state");
    }
    for (const struct cb_merge_node *c = n->first; c; c = c->next)
        edit_uses(w, c);
}

static void write_kernel(struct writer *w)
{
    const struct cb_merge_function *kernel = &w->u->functions[w->u->kernel];
    const struct cb_merge_node *body = w->u->body;
    fprintf(w->out, "\ncoop_kernel(%s)\n{\n", kernel->name);
    write_names(w);
    fputs("    coop_begin();\n", w->out);
    write_line(w, body->begin);
    copy(w, w->out, body->begin, body->end);
    fputs("\n    coop_end();\n}\n", w->out);
}

static void write_all(struct writer *w, const char *path)
{
    struct cb_merge_unit *u = w->u;
    const struct cb_merge_function *kernel = &u->functions[u->kernel];
    uint32_t begin = cb_merge_split(u), end = (uint32_t)strlen(u->text);
    fprintf(w->out, "/* Made of the kernel %s in %s by 'coopbench merge'. */\n", kernel->name,
            path);
    copy(w, w->out, 0, begin);
    write_frame(w);
    write_line(w, begin);
    copy(w, w->out, begin, kernel->begin);
    write_kernel(w);
    write_line(w, kernel->end);
    copy(w, w->out, kernel->end, end);
    fputs("\n#undef transmit\n", w->out);
    for (const struct cb_merge_id_name *i = cb_merge_ids; i->ours; i++)
        fprintf(w->out, "#undef %s\n", i->source);
    fputs("#include \"coop_run.clh\"\n", w->out);
}

/* ---------------------------------------------------------------------------------------------- */

static enum cb_status merge_unit(struct cb_merge_unit *u, const char *path, const char *name,
                                 FILE *out, struct cb_err *err)
{
    struct writer w = {.u = u, .out = out};
    cb_merge_blank(u);
    if (cb_merge_parse(u, path, name, err) != CB_OK)
        return err->status;
    cb_merge_find_live(u);
    cb_merge_check(u);
    edit_helpers(&w); /* declarations contain calls of them, and uses */
    edit_uses(&w, u->body);
    sort_edits(&w);
    edit_statements(&w, u->body);
    sort_edits(&w);
    enum cb_status status = cb_merge_verdict(u, err);
    if (status == CB_OK)
        write_all(&w, path);
    free(w.edits);
    return status;
}

bool cb_merge_is_built(void)
{
    return true;
}

/* A path that cb_source_read() takes for a user's. */
static char *users_path(struct cb_merge_unit *u, const char *path)
{
    bool is_one = *path == '/' || strncmp(path, "./", 2) == 0 || strncmp(path, "../", 3) == 0;
    size_t n = strlen(path);
    char *made_path = cb_merge_keep(u, n + 3);
    snprintf(made_path, n + 3, "%s%s", is_one ? "" : "./", path);
    return made_path;
}

enum cb_status cb_merge(const char *path, const char *name, FILE *out, struct cb_err *err)
{
    struct cb_merge_unit u = {0};
    enum cb_status status = cb_source_expand_users(users_path(&u, path), &u.text, err);
    if (status == CB_OK)
        status = merge_unit(&u, path, name, out, err);
    cb_merge_free(&u);
    return status;
}
