/* SPDX-License-Identifier: Apache-2.0
 *
 * What an app is: a cooperative kernel (kernels/coop.clh) with its input, its arguments and a
 * serial reference. The folder apps/<id>/ defines one constant `struct cb_app cb_app_<id>`; the
 * build finds it. All but the table runs in a worker process.
 */
#pragma once

#include "measure/bench.h"
#include "measure/random.h"
#include "runtime/session.h"
#include "runtime/steps.h"

/* How large the inputs are: for tests, for a CPU device, and as large as the paper's. */
enum cb_scale { CB_SCALE_TINY, CB_SCALE_SMALL, CB_SCALE_PAPER, CB_SCALES };

extern const char *const cb_app_scales[CB_SCALES]; /* "tiny", ... */

/* One of the inputs an app is measured with. */
struct cb_app_input {
    const char *name; /* "road"; short, lower case: part of case ids */
    const char *spec[CB_SCALES];
    const char *original; /* the papers' file, without its ending: "USA-road-d.W"; NULL: none */
    bool on_request;      /* only if --input names it: large, and of some figures alone */
};

#define CB_APP_MAX_INPUTS 4

/* How an app does its work: "ours", or "paper" as the authors' program does, where that is another
 * algorithm; of its barriers all resize, as in FSE'17 Tab. 1, or, "paper-once", one in a round. */
#define CB_APP_OURS       "ours"
#define CB_APP_PAPER      "paper"
#define CB_APP_PAPER_ONCE "paper-once"

struct cb_app {
    const char *id;
    const char *summary;                               /* one sentence */
    const char *source;                                /* "FSE'17 Tab. 1, LonestarGPU's bfs" */
    const char *kernel;                                /* "apps/bfs/bfs.cl" */
    const char *inputs_help;                           /* what --input may be */
    struct cb_app_input inputs[CB_APP_MAX_INPUTS + 1]; /* the first is the default; ends with {0} */
    bool offers;  /* uses offer_kill or request_fork: not run with each of the resizing barriers */
    bool any_ids; /* its workgroups' ids need not be consecutive (COOP_ANY) */
    bool submits; /* tasks of its program itself */
    bool keeps_pointer; /* a transmit variable of it has a pointer */
    bool slow_check; /* at the paper's scale: with the input, of seconds, too long for quick runs */
    bool synthetic;  /* measures the runtime: not among multitask --app all */
    bool by_name;    /* runs only if --app names it: not among any all */
    unsigned gpu_wg_size, cpu_wg_size; /* work-items a workgroup that suit it */
    unsigned required_wg_size;         /* that its kernel takes alone; 0: any */
    bool large_groups; /* with smaller ones it takes half as long again on a GPU, or longer */
    /* Most registers of a work-item of its cooperative kernel on NVIDIA GPUs; 0: the compiler
     * decides. The fewer, the more workgroups run at once. */
    unsigned registers;

    /* Writes a small random input, for the stress tests; NULL: always the tiny first one. */
    void (*draw_input)(struct cb_random *random, char *text, size_t size);
    /* Reads or makes the input, computes the reference, and makes room for up to max_groups
     * workgroups. */
    enum cb_status (*open)(struct cb_session *session, const char *input, size_t max_groups,
                           void **state, struct cb_err *err);
    /* The arguments of its COOP_ARGS; returns how many. They stay valid until close(). */
    size_t (*args)(void *state, struct cb_kernel_value *values, size_t room);
    /* Makes it ready for a launch. */
    enum cb_status (*clear)(void *state, struct cb_err *err);
    /* Checks the result of the last of `runs` runs in a launch whole, and a digest of each of the
     * others (of the last COOP_MAX_RUNS at most). */
    enum cb_status (*check)(void *state, unsigned runs, struct cb_sample *sample,
                            struct cb_err *err);
    /* Before check(): how many work-items the workgroups of these runs had. NULL: results do not
     * depend on it. */
    void (*sized)(void *state, size_t wg_size);
    void (*close)(void *state); /* NULL is fine */

    const char *work;                  /* what a run goes through, "edges"; NULL: not counted */
    double (*count_work)(void *state); /* how many of them, in one run */
    const char *result[2]; /* what check() adds to the sample as "result", of one and of several:
                              {"colour", "colours"}; NULL: nothing */

    /* The variants CB_APP_PAPER and CB_APP_PAPER_ONCE, of the same id; NULL: there is none. */
    const struct cb_app *paper, *paper_once;

    /* The multi-kernel baseline of OOPSLA'16 Section 5.2, of which this is the file, of a variant
     * CB_APP_PAPER; NULL: it has none. A run launches plain kernels, one for each step of the
     * algorithm, of a work-item for each vertex, and the host reads a flag that says whether to go
     * on. Between a clear() and a check(). */
    const char *baseline_kernel;
    enum cb_status (*run_baseline)(void *state, struct cb_steps *steps, struct cb_err *err);
};

#define CB_APP_MAX_ARGS 256 /* as many as a user's kernel has (runtime/merge/merge.h) */

#define CB_USER_APPS 8 /* most apps of the user */

/* Every app, sorted by id, then those of the user (user.h), ending with NULL; generated by
 * cmake/registry.cmake. */
extern const struct cb_app *cb_apps[];

/* By its id, or, of the user's, by its setup's path. */
const struct cb_app *cb_app_find(const char *id);

/* Whether an app's name, or a task's, is a setup's file: it has a "/", or ends with ".json". */
bool cb_app_is_users(const char *name);

/* Adds one, for which there is room (user.h). */
void cb_app_table_add(const struct cb_app *app);

/* Which variant this is: CB_APP_OURS, ... */
const char *cb_app_variant_name(const struct cb_app *variant);

/* What the ids of cases end with for a variant: ",variant=paper"; "" for ours. */
#define CB_APP_VARIANT_MARK 32
const char *cb_app_variant_mark(const struct cb_app *variant, char mark[CB_APP_VARIANT_MARK]);

/* A variant of an app; variant NULL: ours. NULL: it has none of this name. */
const struct cb_app *cb_app_variant(const struct cb_app *app, const char *variant);

/* The scale that suits a device of this type ("cpu", "gpu"). */
enum cb_scale cb_app_scale_of(const char *device_type);

/* Work-items a workgroup that suit the app on such a device. */
unsigned cb_app_wg_size(const struct cb_app *app, const char *device_type);

/* The size that a kernel requires, of an app or of one beside it (NULL: there is none); else this
 * one. */
unsigned cb_app_required_wg_size(const struct cb_app *app, const struct cb_app *beside,
                                 unsigned size);

/* For open(): reads the count that an input begins with, up to the end or a ':', at which *rest
 * then is (rest NULL: up to the end). False: it is no number in digits alone, or not in range. */
bool cb_app_read_count(const char *input, uint32_t least, uint32_t most, uint32_t *count,
                       const char **rest);

/* For check(): what each of the last `runs` runs left in `digests`, a buffer of COOP_MAX_RUNS
 * words, must be `expected`. */
enum cb_status cb_app_check_digests(struct cb_session *session, cl_mem digests, unsigned runs,
                                    uint32_t expected, struct cb_sample *sample,
                                    struct cb_err *err);
