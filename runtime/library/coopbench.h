/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative kernels, and tasks that run beside them, in programs of your own (FSE'17
 * Section 4.2).
 *
 *     coopbench_merge(files, 2, "merged.cl", text, size);  or 'coopbench merge' at build time
 *     coopbench_open(NULL, &c);                            a device
 *     coopbench_load(c, "merged.cl");                      its kernels
 *     coopbench_reserve(c, bytes, &buffer);                memory, as often as needed
 *     coopbench_arguments(c, arguments, n);                of the cooperative kernel
 *     coopbench_start(c, NULL);                            it runs
 *     coopbench_submit(c, &task, &number);                 any number of times,
 *     coopbench_await(c, number, NULL);                    each with its wait, in any order
 *     coopbench_stop(c, NULL);                             waits for the kernel's end
 *     coopbench_close(c);
 *
 * The cooperative kernel is written with resizing_global_barrier(), offer_kill() and
 * request_fork(), tasks are ordinary kernels (docs/cooperative-kernels.md). A task's workgroups are
 * the cooperative kernel's, which gives them up for so long.
 *
 * Every wait is bounded: a deadlock is COOPBENCH_TIMEOUT. After any status but COOPBENCH_OK,
 * coopbench_message() says what is wrong, and what to do. A handle or a pointer that is NULL is
 * COOPBENCH_USAGE, unless a call says that it may be. A handle is used by one thread at a time.
 */
#ifndef COOPBENCH_H
#define COOPBENCH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define COOPBENCH_API __attribute__((visibility("default")))
#else
#define COOPBENCH_API
#endif

enum coopbench_status {
    COOPBENCH_OK = 0,
    COOPBENCH_UNSUPPORTED = 1, /* the device, or this build of the library, lacks something */
    COOPBENCH_ERROR = 3,       /* OpenCL, memory, a file that cannot be written */
    COOPBENCH_TIMEOUT = 5,     /* a deadlock, or a deadline that has passed */
    COOPBENCH_USAGE = 8,       /* the call makes no sense, or a kernel does not */
    COOPBENCH_NO_DEVICE = 9
};

/* A device, and what runs on it. */
typedef struct coopbench coopbench;

/* "0.1.0" */
COOPBENCH_API const char *coopbench_version(void);

/* Makes a program of kernels in OpenCL C files ("FILE" or "FILE:KERNEL"), as 'coopbench merge'
 * does: one with scheduling points, and any number of tasks. Needs libclang, which is loaded into a
 * process of its own: before the first coopbench_open(). message (may be NULL): the reason, with
 * file, line and column, if it fails; else warnings, a line each, or "". */
COOPBENCH_API enum coopbench_status coopbench_merge(const char *const *files, unsigned n,
                                                    const char *path, char *message, size_t room);

/* A file with build options of its own, as of clBuildProgram(): "-DN=4 -I include". Folders go from
 * the working one. */
struct coopbench_source {
    const char *file;
    const char *build_options; /* NULL: none */
};
COOPBENCH_API enum coopbench_status coopbench_merge_sources(const struct coopbench_source *sources,
                                                            unsigned n, const char *path,
                                                            char *message, size_t room);

/* ---- A device and its memory ----------------------------------------------------------------- */

struct coopbench_options {
    const char *device; /* "gpu", "cpu", "0:1", "name:H200" as --device; NULL: the first GPU, else
                           the first CPU */
    size_t wg_size;     /* work-items of the kernel's workgroups; 0: 256, on a CPU 64. Those of
                           tasks may be smaller, not larger. */
    size_t memory;      /* bytes for all buffers; 0: 64 MiB */
    double wait_s; /* after which a wait in a kernel is a deadlock, if all workgroups wait; at most
                      60; 0: what suits the device */
};

/* options NULL: all 0. *c is there after any status, for coopbench_message(), but NULL without
 * memory. PoCL is told to have eight threads, so many workgroups, unless its variables are set, or
 * the program has used OpenCL before: PoCL reads them once. */
COOPBENCH_API enum coopbench_status coopbench_open(const struct coopbench_options *options,
                                                   coopbench **c);

/* Ends what runs, and frees all. c may be NULL. */
COOPBENCH_API void coopbench_close(coopbench *c);

/* The message of the last call that failed. c may be NULL. */
COOPBENCH_API const char *coopbench_message(const coopbench *c);

/* Memory of the device. It is zeroed, and lives until coopbench_close(). */
typedef struct {
    size_t at, size;
} coopbench_buffer;

COOPBENCH_API enum coopbench_status coopbench_reserve(coopbench *c, size_t bytes,
                                                      coopbench_buffer *buffer);

/* At any time: whole words that a kernel writes meanwhile may be the old or the new ones. What a
 * task is to read is written before it is submitted. */
COOPBENCH_API enum coopbench_status coopbench_write(coopbench *c, coopbench_buffer buffer,
                                                    const void *from, size_t bytes);
COOPBENCH_API enum coopbench_status coopbench_read(coopbench *c, coopbench_buffer buffer, void *to,
                                                   size_t bytes);

/* ---- Arguments ------------------------------------------------------------------------------- */

struct coopbench_argument {
    const void *value; /* NULL: a buffer, or local memory */
    size_t size;       /* size of the value, or of the local memory */
    size_t alignment;  /* alignment of the value's type */
    coopbench_buffer buffer;
};

/* A scalar, a vector or a structure: COOPBENCH_VALUE(count), of a variable. */
#define COOPBENCH_VALUE(variable)                                                                  \
    ((struct coopbench_argument){&(variable), sizeof(variable), __alignof__(variable), {0, 0}})
#define COOPBENCH_BUFFER(buffer) ((struct coopbench_argument){NULL, 0, 0, (buffer)})
/* For a parameter of a task in local memory. */
#define COOPBENCH_LOCAL(bytes) ((struct coopbench_argument){NULL, (bytes), 0, {0, 0}})

/* ---- The cooperative kernel ------------------------------------------------------------------ */

/* Builds the program of a file that was merged, instead of one before. */
COOPBENCH_API enum coopbench_status coopbench_load(coopbench *c, const char *path);

/* All of the cooperative kernel's, in their order: as many, and of the sizes, that it has. Values
 * are copied. */
COOPBENCH_API enum coopbench_status
coopbench_arguments(coopbench *c, const struct coopbench_argument *arguments, unsigned n);

/* How many workgroups it can have at once, beside the scheduler: found by a launch, once. After
 * coopbench_arguments(). */
COOPBENCH_API enum coopbench_status coopbench_workers(coopbench *c, unsigned *workers);

struct coopbench_start {
    unsigned workers;  /* 0: all that run at once */
    unsigned first;    /* with so many of them it begins, as after coopbench_resize(); 0: all */
    int repeat;        /* begin it again whenever it has ended, until coopbench_stop() */
    double lifetime_s; /* after which it is given up; 0: 60 */
    double gather_s;   /* after which a task is whose workgroups do not come; 0: 5 */
};

/* how NULL: all 0. */
COOPBENCH_API enum coopbench_status coopbench_start(coopbench *c,
                                                    const struct coopbench_start *how);

/* Lets it have at most so many workgroups from now on (0: all), and waits until it has, at most
 * `seconds`. active (may be NULL): how many it has; 0: it has ended. */
COOPBENCH_API enum coopbench_status coopbench_resize(coopbench *c, unsigned workgroups,
                                                     double seconds, unsigned *active);

/* How often it has ended since the start. */
COOPBENCH_API enum coopbench_status coopbench_runs(coopbench *c, unsigned *runs);

struct coopbench_result {
    unsigned runs;         /* how often it has ended */
    unsigned kills, forks; /* workgroups that left, and that came */
    double seconds;        /* from start to end, by the device */
};

/* Waits for its end. result may be NULL. */
COOPBENCH_API enum coopbench_status coopbench_stop(coopbench *c, struct coopbench_result *result);

/* ---- Tasks ----------------------------------------------------------------------------------- */

struct coopbench_task {
    const char *kernel; /* its name; NULL: the first */
    unsigned workers;   /* how many of the cooperative kernel's workgroups it gets, at least 1, at
                           most all but one; they share its own workgroups among them */
    unsigned dimensions;
    size_t global[3], local[3]; /* as of clEnqueueNDRangeKernel() */
    const struct coopbench_argument *arguments;
    unsigned n_arguments;
    unsigned priority; /* up to 255; of tasks in line, the highest goes first, */
    double deadline_s; /* then the one with the soonest deadline, from now; 0: none */
};

/* Puts it in line, where 1024 have room. number: for the calls below. */
COOPBENCH_API enum coopbench_status
coopbench_submit(coopbench *c, const struct coopbench_task *task, unsigned *number);

/* Takes it out of the line, if it has not begun: *cancelled. It is to be waited for nonetheless. */
COOPBENCH_API enum coopbench_status coopbench_cancel(coopbench *c, unsigned number, int *cancelled);

/* What became of a task, in seconds. */
struct coopbench_report {
    double line_s;   /* until it left the line, */
    double gather_s; /* from then on until its workgroups were there, */
    double run_s;    /* from then on to its end, by the device */
    double answer_s; /* from the submission until the host knew, by the host */
    unsigned active; /* workgroups that the cooperative kernel had meanwhile */
    int cancelled;   /* then all else but answer_s is 0 */
};

/* Waits for its end, once for each. report may be NULL. */
COOPBENCH_API enum coopbench_status coopbench_await(coopbench *c, unsigned number,
                                                    struct coopbench_report *report);

#ifdef __cplusplus
}
#endif

#endif
