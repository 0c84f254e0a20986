/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame of a cooperative kernel, in the language of kernels/coop.clh.
 */
#include "runtime/merge/write.h"

#include <ctype.h>

bool cb_merge_offers(const struct cb_merge_unit *u)
{
    return cb_merge_has_point(u->body, CB_OFFER_KILL) ||
           cb_merge_has_point(u->body, CB_REQUEST_FORK);
}

bool cb_merge_submits(const struct cb_merge_unit *u)
{
    return cb_merge_has_word(u, CB_MERGE_SUBMIT) || cb_merge_has_point(u->body, CB_JOIN_TASKS);
}

/* How many elements an argument in local memory has, the host says when it builds the program. */
static void write_counts(const struct cb_merge_writer *w)
{
    for (int v = 0; v < w->u->n_vars; v++)
        if (cb_merge_is_local_argument(w->u, &w->u->vars[v]))
            fprintf(w->out,
                    "\n#ifndef " CB_MERGE_COUNT_OF "%s\n#error define " CB_MERGE_COUNT_OF
                    "%s: how many elements the argument %s has\n#endif",
                    w->u->vars[v].name, w->u->vars[v].name, w->u->vars[v].name);
}

static void write_head(struct cb_merge_writer *w)
{
    write_counts(w);
    fputs("\n#define COOP_ARGS(X)", w->out);
    for (int v = 0; v < w->u->n_vars; v++)
        if (w->u->vars[v].is_parameter && !cb_merge_is_local_argument(w->u, &w->u->vars[v]))
            fprintf(w->out, " \\\n    X(%s, arg_%s)", w->u->vars[v].type, w->u->vars[v].name);
    fputc('\n', w->out);
    for (int local = 0; local < 2; local++)
        if (cb_merge_write_fields(w, local, local ? "#define COOP_LOCAL" : "#define COOP_TRANSMIT",
                                  " \\\n"))
            fputc('\n', w->out);
    if (cb_merge_offers(w->u))
        fputs("#define COOP_USES_OFFERS\n", w->out);
    if (cb_merge_submits(w->u))
        fputs("#define COOP_SUBMITS\n", w->out);
    for (const char *letter = "aslv"; *letter; letter++)
        fprintf(w->out, "#define COOP_%c %s\n", toupper((unsigned char)*letter),
                cb_merge_word(w->u, *letter));
    fputs("#include \"coop.clh\"\n\n#define transmit\n"
          "/* Ids and sizes of the active workgroups. */\n",
          w->out);
    cb_merge_write_sides(w->u, w->out);
    const bool has_sides = cb_merge_has_sides(w->u);
    for (const struct cb_merge_id_name *i = cb_merge_ids; i->ours; i++)
        if (has_sides)
            fprintf(w->out, "#define %s(%s) ((size_t)%s)\n", i->source,
                    i->is_of_dimension ? "d" : "", i->sided);
        else if (i->otherwise)
            fprintf(w->out, "#define %s(d) ((d) == 0 ? (size_t)%s : %s)\n", i->source, i->ours,
                    i->otherwise);
        else
            fprintf(w->out, "#define %s() ((size_t)%s)\n", i->source, i->ours);
    fputc('\n', w->out);
}

static void write_function(struct cb_merge_writer *w)
{
    fprintf(w->out, "coop_kernel(%s)\n{\n", w->u->functions[w->u->kernel].name);
    cb_merge_write_names(w);
    fputs("    coop_begin();\n", w->out);
}

void cb_merge_write_cooperative(struct cb_merge_writer *w)
{
    cb_merge_write_text(w, write_head, NULL, write_function);
    fputs("#undef transmit\n", w->out);
    for (const struct cb_merge_id_name *i = cb_merge_ids; i->ours; i++)
        fprintf(w->out, "#undef %s\n", i->source);
    fputs("#include \"coop_run.clh\"\n", w->out);
}
