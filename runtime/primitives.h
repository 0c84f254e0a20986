/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel library's barriers, mutexes and semaphores (kernels/primitives_abi.h), as a table.
 */
#pragma once

#include <stdbool.h>

#include "kernels/primitives_abi.h"

#define CB_KIND_ID(KIND, kind, folder) CB_KIND_##KIND,
#define CB_PRIMITIVE_ID(KIND, id, ...) CB_##KIND##_##id,

enum cb_primitive_kind { CB_PRIMITIVE_KINDS(CB_KIND_ID) CB_KINDS };
enum cb_primitive_id { CB_PRIMITIVES(CB_PRIMITIVE_ID) CB_PRIMITIVE_COUNT };

/* The ids of a kind as text: "xf,counter,broadcast,patient". */
#define CB_PRIMITIVE_AND_ID(KIND, id, ...) "," #id
#define CB_PRIMITIVE_IDS(rows)             (&(rows(CB_PRIMITIVE_AND_ID))[1])

/* Names by kind: "mutex", and the macro that chooses one in kernels, "CB_MUTEX". */
extern const char *const cb_kind_names[CB_KINDS], *const cb_kind_macros[CB_KINDS];

/* CB_KINDS: there is no such kind. */
enum cb_primitive_kind cb_kind_of(const char *name);

/* The pauses that a primitive makes, as texts say them: "MIN:MAX" where attempts fail, "PLACE"
 * where the place in line is known; in ns. */
enum cb_backoff { CB_BACKOFF_NONE, CB_BACKOFF_PAUSES, CB_BACKOFF_PLACES };

struct cb_primitive {
    enum cb_primitive_kind kind;
    const char *id; /* "ticket" */
    enum cb_backoff backoff;
    bool slots; /* a queue lock: no default (kernels/primitives_abi.h) */
};

extern const struct cb_primitive cb_primitive_table[CB_PRIMITIVE_COUNT];

/* NULL: there is none. */
const struct cb_primitive *cb_primitive_find(const char *kind, const char *id);
