/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel merge tool (FSE'17 Sections 4.2 and 5): makes a kernel in the paper's own syntax
 * (Fig. 4) one in the language of kernels/coop.clh, which the runtime runs in all modes. It reads
 * OpenCL C by libclang.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/host/error.h"
#include "runtime/host/text.h"
#include "runtime/merge/layout.h"

/* Whether this program was built with libclang. */
bool cb_merge_is_built(void);

struct cb_merge_source {
    const char *path;
    const char *name;    /* NULL: the kernel with scheduling points, or the only one */
    const char *options; /* build options (runtime/source_options.h); NULL: none */
    const char *beside; /* a file: their relative paths go from its folder; NULL: the working one */
    bool by_packet;     /* all arguments of a task come by a launch packet: it has no images */
};

#define CB_MERGE_PARAMETERS 256 /* no kernel has more */

/* With the name of a cooperative kernel's argument in local memory: a macro that says of how many
 * elements it is, where its program is built. The argument is none that is passed. */
#define CB_MERGE_COUNT_OF "COOP_COUNT_OF_"

/* The cooperative kernel of a program, or its first task if there is none: callers need this to
 * give it its arguments. */
struct cb_merge_kernel {
    char *name;
    struct cb_merge_parameter {
        char *type, *name; /* "const global uint *", "input" */
        int bounds;        /* dimension whose global ids it is compared with; -1: none */
        enum cb_space space;
        struct cb_layout layout; /* its type, of a pointer the type that it points to */
        char pixels; /* of an image: 'f', 'i', 'u', 'h', as read_imagef() or write_imagef() */
    } * parameters;  /* NULL: there is no such kernel */
    int n_parameters;
    unsigned dimensions; /* of the ids that it asks for */
    size_t required[3];  /* size of workgroups that it requires; 0: it does not */
    size_t tile[3]; /* sides of its arrays in local memory, the last index's first, or of a block by
                       the name of a macro; 0: none is known */
    char *warnings; /* "FILE:LINE:COLUMN: warning: ..." a line each; "": none */
    bool is_task, offers, counts_runs; /* counts_runs: coop_run() */
    bool keeps_pointer; /* a transmit variable that lives across a point has a pointer in it */
    bool is_for_one;    /* all work-items would do the same */
    bool submits;       /* tasks of the program, and */
    bool lacks_tasks;   /* some of these are not among the sources */
};

static inline void cb_merge_kernel_free(struct cb_merge_kernel *kernel)
{
    for (int i = 0; i < kernel->n_parameters; i++) {
        free(kernel->parameters[i].type);
        free(kernel->parameters[i].name);
        cb_layout_free(&kernel->parameters[i].layout);
    }
    free(kernel->parameters);
    free(kernel->name);
    free(kernel->warnings);
    *kernel = (struct cb_merge_kernel){0};
}

/* Prints a kernel's warnings on standard error. */
static inline void cb_merge_print_warnings(const struct cb_merge_kernel *kernel)
{
    if (kernel->warnings && *kernel->warnings)
        cb_text_print(stderr, "%s\n", kernel->warnings);
}

/* Writes the program of n kernels to `out`, at most one of which has scheduling points; the others
 * become tasks. kernel: NULL, or becomes that one, the caller's to free. CB_USAGE: one
 * cannot be merged, each reason a line of err with file, line and column. CB_UNSUPPORTED: without
 * libclang. */
enum cb_status cb_merge(const struct cb_merge_source *sources, int n, FILE *out,
                        struct cb_merge_kernel *kernel, struct cb_err *err);

/* Writes the source of a task for a plain launch, with its options. No task that it submits finds
 * room there: each submit_task() is false. */
enum cb_status cb_merge_plain(const struct cb_merge_source *source, FILE *out, struct cb_err *err);
