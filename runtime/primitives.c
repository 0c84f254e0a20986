/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/primitives.h"

#include <string.h>

#include "primitive_files.h" /* generated: CB_PRIMITIVE_FILES, the files of their folders */

/* ---- Rows and files --------------------------------------------------------------------------
 * The compiler says which id has a row, and no file in kernels/ ("file_of_MUTEX_x undeclared"), or
 * a file, and no row ("row_of_MUTEX_x undeclared"). */

#define FILE_OF(KIND, id)       file_of_##KIND##_##id,
#define ROW_OF(KIND, id, ...)   row_of_##KIND##_##id = file_of_##KIND##_##id,
#define FILE_WITH_ROW(KIND, id) checked_##KIND##_##id = row_of_##KIND##_##id,

enum { CB_PRIMITIVE_FILES(FILE_OF) };
enum { CB_PRIMITIVES(ROW_OF) };
enum { CB_PRIMITIVE_FILES(FILE_WITH_ROW) };

/* ---- The table ------------------------------------------------------------------------------- */

#define NAME(KIND, kind, folder)            [CB_KIND_##KIND] = #kind,
#define MACRO(KIND, kind, folder)           [CB_KIND_##KIND] = "CB_" #KIND,
#define ROW(KIND, id, pauses, slots, quick) {CB_KIND_##KIND, #id, CB_BACKOFF_##pauses, slots},

const char *const cb_kind_names[CB_KINDS] = {CB_PRIMITIVE_KINDS(NAME)};
const char *const cb_kind_macros[CB_KINDS] = {CB_PRIMITIVE_KINDS(MACRO)};
const struct cb_primitive cb_primitive_table[CB_PRIMITIVE_COUNT] = {CB_PRIMITIVES(ROW)};

enum cb_primitive_kind cb_kind_of(const char *name)
{
    int kind = 0;
    while (kind < CB_KINDS && strcmp(cb_kind_names[kind], name) != 0)
        kind++;
    return (enum cb_primitive_kind)kind;
}

const struct cb_primitive *cb_primitive_find(const char *kind, const char *id)
{
    for (int i = 0; i < CB_PRIMITIVE_COUNT; i++) {
        const struct cb_primitive *p = &cb_primitive_table[i];
        if (strcmp(cb_kind_names[p->kind], kind) == 0 && strcmp(p->id, id) == 0)
            return p;
    }
    return NULL;
}
