/* SPDX-License-Identifier: Apache-2.0
 *
 * What a benchmark is. The folder probes/<id>/ defines one constant
 * `struct cb_bench cb_bench_<id>`; the build finds it and everything else follows from its tables:
 * subcommand, options, help, configuration keys, results, pictures.
 *
 * A bench has two halves. plan() runs in the parent, which has no OpenCL: it turns options into
 * cases. open(), run() and close() run in a worker process and do the work of one case. The engine
 * in between owns order, warm-up, repetition, stop rule, deadlines and statistics.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/param.h"
#include "runtime/device.h"
#include "runtime/host/error.h"

struct cb_bench;
struct cb_findings;
struct cb_session;

/* When enough samples have been taken. */
struct cb_stop {
    enum { CB_STOP_COUNT, CB_STOP_CI, CB_STOP_TIME } rule;
    unsigned warmup;   /* runs before the first sample, verified but not kept */
    unsigned min_runs; /* COUNT: exactly so many; CI, TIME: at least */
    unsigned max_runs; /* CI, TIME: at most */
    double max_rci;    /* CI: half-width of the 95 % interval of the primary metric's median, % */
    double max_time_s; /* CI, TIME: budget for the samples of one case */
};

#define CB_BESIDE_MARK "/beside=" /* before what is beside a case, at the end of its id */

/* One planned measurement: exactly one row of the results. */
struct cb_case {
    char id[192]; /* "discover/ticket/11/delay=0": stable across runs and machines */
    const struct cb_bench *bench;
    const struct cb_device *device;
    cJSON *params; /* typed values; columns of the CSV, and all that a worker knows of the case */
    int needs;     /* index in the plan of a case that must be ok before this one; -1: none */
    int group;     /* cases of one group are run in turns, a run of each, so that they meet the same
                      machine; they stand together in the plan; 0: on its own */
    int batch;     /* cases of one batch share what takes long to open, such as an input: they are
                      run one after the other, and in a worker open_batch() opens it once; 0: of no
                      batch, or one that is the group. All cases of a group are of one batch */
    double expected_s;   /* how long it takes, roughly; 0: not known */
    const cJSON *beside; /* what keeps the device busy meanwhile (process/beside.h), an item of the
                            plan's; NULL: nothing of ours */
    const cJSON *kept;   /* its row of the run that is resumed; NULL: it is to be run */
    struct cb_stop stop;
    bool own_stop;           /* options like --runs do not change it */
    double budget_s;         /* its part of the time for all cases of a quick run; what it does not
                                need goes to those after it; 0: none (measure/quick.h) */
    double run_deadline_s;   /* a run that takes longer loses its worker */
    double least_deadline_s; /* to which that may be lowered once it is known how long runs of the
                                group take (measure/process/deadline.h); 0: it may not */
};

struct cb_plan {
    struct cb_case *cases;
    int count;
    int groups;    /* numbers of groups given out so far: ++plan->groups is the next */
    int batches;   /* numbers of batches given out so far */
    uint64_t seed; /* seed of the run, --seed: for cases that are drawn at random */
    const struct cb_bench *bench; /* whose cases are added now, and those of which device */
    const struct cb_device *device;
    cJSON *besides;      /* an array: what cases have beside them; NULL: none has anything */
    struct cb_case lost; /* stands for cases for which there was no memory; else without bench */
};

/* Has a bench plan its cases on a device. CB_USAGE: options that make no sense; CB_ERROR: there is
 * no memory. */
enum cb_status cb_plan_bench(struct cb_plan *plan, const struct cb_bench *bench,
                             const struct cb_device *device, const cJSON *options,
                             struct cb_err *err);

/* For a bench's plan(): adds a case with the bench's default stop rule; the rest of the id comes
 * after that of the bench. The case stays where it is until the next is added. */
struct cb_case *cb_plan_add(struct cb_plan *plan, const char *place_format, ...)
    __attribute__((format(printf, 2, 3)));
void cb_plan_free(struct cb_plan *plan);

/* Checks options that many benchmarks have. CB_USAGE: more work-items a workgroup than the device
 * takes; no number of workgroups, nor the word that may stand for one (NULL: none may). */
enum cb_status cb_plan_check_wg_size(const struct cb_device *device, uint64_t wg_size,
                                     struct cb_err *err);
enum cb_status cb_plan_check_groups(struct cb_texts groups, const char *word, struct cb_err *err);

/* The cases by id, then by the device's id; the caller's to free. NULL: no memory. */
struct cb_case **cb_plan_sorted(const struct cb_plan *plan);

/* What one run yields. */
struct cb_sample {
    cJSON *values;      /* {"metric": [value, ...]} */
    cJSON *notes;       /* texts, for people; NULL: none */
    cJSON *inputs;      /* what the case has read (identity.h); NULL: nothing */
    bool verified;      /* something was checked */
    char failure[1024]; /* first check that failed; empty: none did */
};

void cb_sample_add(struct cb_sample *sample, const char *metric, double value);

/* Notes what a reader of the row should know although it is ok. A text is kept once. */
void cb_sample_note(struct cb_sample *sample, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Notes a check; the text of the first that fails is kept. Returns ok. */
bool cb_sample_check(struct cb_sample *sample, bool ok, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "context: " in front of what failed, if something did. */
void cb_sample_context(struct cb_sample *sample, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fills the sample from a worker's answer to "run", which gives its values away. */
void cb_sample_take(struct cb_sample *sample, cJSON *answer);

/* Frees what it holds. */
void cb_sample_free(struct cb_sample *sample);

enum cb_better { CB_LOWER, CB_HIGHER, CB_NEITHER };

struct cb_metric {
    const char *name; /* without unit: "protocol_time" */
    const char *unit; /* "ns", "ops/s", "B/s", "workgroups", "1" for shares */
    enum cb_better better;
    bool primary; /* decides when the CI stop rule is satisfied; one per bench */
    const char *help;
};

/* One measurement in another unit, a sample of the one making that of the other. */
struct cb_derived {
    const char *metric, *from;
};

/* Ways to do the same that the author of a program chooses among, and of which another one may be
 * the best on another device (analysis/fleet/portable.h). */
struct cb_choice {
    const char *name;          /* for people: "barrier" */
    const char *const *params; /* case parameters that make a way; ends with NULL */
    const char *const *tuned; /* parameters that are found for each device: the best stands for all;
                                 ends with NULL; NULL: none */
    const char *metrics;      /* instead: metrics that begin so are a way each, "wg_" */
    const char *within;       /* each value of this parameter has ways of its own; NULL: none has */
    /* Whether the parameters are of something that is measured to compare, and nobody would choose;
     * NULL: of none. */
    bool (*only_compared)(const cJSON *params);
};

/* A picture that `coopbench plot` draws from runs of this bench. */
struct cb_figure {
    const char *id;     /* file name of the picture: "fig7" */
    const char *script; /* "plots/discover_fig7.gp" */
    const char *title;
    /* Writes the data file of the script from `n` run documents (run.json); returns the number of
     * points written. 0: nothing to draw. */
    int (*write_data)(FILE *out, cJSON *const *runs, int n);
    bool besides; /* it has rows beside neighbours of ours (--beside), too, and compares them */
};

struct cb_bench {
    const char *id;
    const char *summary;    /* one sentence */
    const char *reproduces; /* "OOPSLA'16 Tab. 3, ..." */
    const char *details;    /* paragraphs for --help: what it does, how to read the result */
    const struct cb_param *params;
    const struct cb_field *fields;   /* the parameters of its cases; ends with one without key */
    const struct cb_metric *metrics; /* ends with a row without name */
    /* Metrics that lists of changes leave out, since they change as others do; ends with a row
     * without metric. NULL: none. */
    const struct cb_derived *derived;
    const struct cb_choice *choices; /* ends with a row without name; NULL: none */
    const struct cb_figure *figures; /* ends with a row without id; NULL: none */
    /* Cases that have this parameter ("": all) have their "samples" there, if the run's folder has
     * them. NULL: none. */
    const char *figures_of_samples;
    struct cb_stop stop;
    double run_deadline_s;
    bool even_runs; /* runs of a group take about as long: its deadline may be lowered */
    /* For all cases of a quick run on a device of this kind; 0: they need no limit. */
    double quick_gpu_s, quick_cpu_s;

    /* Names of the case parameters that decide which kernels a case needs; "trace?" is whether it
     * has that one. Ends with NULL. Cases that agree in them need the same kernels. NULL: none is
     * built ahead. */
    const char *const *built_by;

    /* Parent: adds the cases that options ask for on the plan's device (cb_plan_bench()). */
    enum cb_status (*plan)(struct cb_plan *plan, const cJSON *options, struct cb_err *err);

    /* What its rows say holds whoever else uses the device: whether results are right, not how long
     * anything takes. */
    bool holds_beside;

    /* Worker: opens what the cases of a batch share, with the parameters of the first of them, and
     * closes it before that of another batch is opened. A failed open_batch() is closed, too; state
     * NULL is not. NULL: they share nothing. */
    enum cb_status (*open_batch)(struct cb_session *session, const cJSON *params, void **batch,
                                 struct cb_err *err);
    void (*close_batch)(void *batch);

    /* Worker: prepares a case, runs it once, releases it. params are the case's, with what the case
     * that it needs has measured: medians under "needed", {"metric": value}, minima under
     * "least", means under "mean". batch is that of open_batch(), NULL without. session is NULL
     * only in a companion that was started without one (measure/process/companion.h). A failed
     * open() or run() is closed. In a rehearsal (runtime/session.h) open() builds all kernels of
     * the case, launches each once at least, and needs nothing else.
     */
    enum cb_status (*open)(struct cb_session *session, const cJSON *params, void *batch,
                           void **state, struct cb_err *err);
    enum cb_status (*run)(void *state, struct cb_sample *sample, struct cb_err *err);
    void (*close)(void *state);

    /* Whether a case of these parameters runs a kernel of the user's: then that is likelier than
     * anything else the cause of a wrong result, or of a crash. NULL: none does. */
    bool (*is_users)(const cJSON *params);

    /* Parent: prints the result of a run for people, wherever and whenever it was measured. */
    void (*report)(FILE *out, const cJSON *run);

    /* Parent: prints, after the reports of what was measured beside each neighbour of ours, what
     * these tell next to each other. run has the rows of all of them. NULL: nothing. */
    void (*report_besides)(FILE *out, const cJSON *run);

    /* Parent: says in two or three sentences what the ok cases of a run mean for a device, of which
     * there is at least one, what to use, and which command comes next
     * (analysis/documents/findings.h). Cases that failed are told of already. NULL: nothing to
     * say. */
    void (*findings)(struct cb_findings *findings);

    /* The section of a device's profile ("memory") that report() compares with. What it holds when
     * a run begins is kept with the device in the run. NULL: none. */
    const char *profile_section;

    /* Parent, after a run that was not interrupted, once for each device that has cases of this
     * bench: puts what the run says of the device (by its id) into the device's profile
     * (runtime/profile.h), under the bench's id. Returns whether it did: not if cases that it takes
     * are missing or failed. NULL: nothing to learn. */
    bool (*learn)(const cJSON *run, const char *device_id, cJSON *profile);
    /* Each case is learnt by itself: learn() gets those beside neighbours of ours, too, and those
     * that others disturbed are left out, where they else keep all from being learnt. */
    bool learns_each;

    /* Parent: writes what a device's profile tells the compiler of every kernel that does not say
     * it itself: options such as " -DCB_MUTEX=ticket". NULL: nothing. */
    void (*defines)(FILE *out, const cJSON *profile);

    /* Parent, after a run, whatever became of it: writes files of the bench's own into the run's
     * folder, made of its rows, and adds their names to an array. NULL: none. */
    enum cb_status (*artefacts)(const cJSON *run, const char *folder, cJSON *names,
                                struct cb_err *err);
};

/* Every bench of the program, sorted by id, ending with NULL; generated by cmake/registry.cmake. */
extern const struct cb_bench *const cb_benches[];

const struct cb_bench *cb_bench_find(const char *id);

/* The metric of which this one is another unit; NULL: none, or no such bench. */
const char *cb_bench_derived_from(const char *bench, const char *metric);
