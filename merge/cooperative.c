/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame of a cooperative kernel, in the language of kernels/coop.clh.
 */
#include "merge/write.h"

#include <string.h>

static void write_head(struct cb_merge_writer *w)
{
    fputs("\n#define COOP_ARGS(X)", w->out);
    for (int v = 0; v < w->u->n_vars; v++)
        if (w->u->vars[v].is_parameter)
            fprintf(w->out, " \\\n    X(%s, arg_%s)", w->u->vars[v].type, w->u->vars[v].name);
    fputc('\n', w->out);
    for (int local = 0; local < 2; local++)
        if (cb_merge_write_fields(w, local, local ? "#define COOP_LOCAL" : "#define COOP_TRANSMIT",
                                  " \\\n"))
            fputc('\n', w->out);
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

static void write_kernel(struct cb_merge_writer *w)
{
    const struct cb_merge_node *body = w->u->body;
    fputc('\n', w->out);
    cb_merge_write_macros(w, false);
    fprintf(w->out, "coop_kernel(%s)\n{\n", w->u->functions[w->u->kernel].name);
    cb_merge_write_names(w);
    fputs("    coop_begin();\n", w->out);
    cb_merge_write_line(w, body->begin);
    cb_merge_copy(w, w->out, body->begin, body->end);
    fputs("\n    coop_end();\n}\n", w->out);
    cb_merge_write_macros(w, true);
}

void cb_merge_write_cooperative(struct cb_merge_writer *w)
{
    const struct cb_merge_function *kernel = &w->u->functions[w->u->kernel];
    uint32_t begin = cb_merge_split(w->u);
    cb_merge_copy(w, w->out, 0, begin);
    write_head(w);
    cb_merge_write_line(w, begin);
    cb_merge_copy(w, w->out, begin, kernel->begin);
    write_kernel(w);
    cb_merge_write_line(w, kernel->end);
    cb_merge_copy(w, w->out, kernel->end, (uint32_t)strlen(w->u->text));
    fputs("\n#undef transmit\n", w->out);
    for (const struct cb_merge_id_name *i = cb_merge_ids; i->ours; i++)
        fprintf(w->out, "#undef %s\n", i->source);
    fputs("#include \"coop_run.clh\"\n", w->out);
}
