/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/build_options.h"

#include <stdlib.h>

#include "runtime/source_options.h"

char *cb_build_options_text(const struct cb_build_options *o)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs(o->all ? o->all : "", out);
    for (int i = 0; i < o->defines.n; i++)
        cb_source_option_write(out, "-D", cb_texts_at(o->defines, i));
    for (int i = 0; i < o->folders.n; i++)
        cb_source_option_write(out, "-I", cb_texts_at(o->folders, i));
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
