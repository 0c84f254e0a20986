/* SPDX-License-Identifier: Apache-2.0
 *
 * A round is a whole call of a coopbench, this one or another build, with options of its own for
 * where its results go. Two builds have nothing in common then but the command line and run.json,
 * which both have to keep anyway: each plans its own cases, and a base of last year can be
 * measured. Processes differ from each other by more than the samples within them (docs/trust.md);
 * a round is a new one.
 */
#include "cli/suite/rounds.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/documents/folder.h"
#include "analysis/documents/joined_run.h"
#include "analysis/documents/summary.h"
#include "cli/suite/round.h"
#include "cli/suite/suite.h"
#include "measure/text/shell.h"
#include "measure/time_left.h"
#include "runtime/host/signals.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"

#define MAX_SIDES      2
#define DEFAULT_ROUNDS 10

struct side {
    const char *program;
    char version[160]; /* what it says of itself */
    char id[CB_RUN_ID_BYTES];
    struct cb_joined_run run;
};

struct rounds {
    struct side sides[MAX_SIDES];
    int n_sides, n_rounds, done;
    const char *output_dir;
    cJSON *argv;  /* words of this call */
    char **words; /* words of this call */
    int n_words;
    char **child; /* the command that every round is called with; its own options come after */
    int n_child;
    char seed[32];
    bool quiet;
    uint64_t start_ns;
};

bool cb_rounds_wanted(const struct cb_run_options *options)
{
    return !options->dry_run && (options->rounds > 0 || options->interleave.n > 0);
}

/* ---- What is asked for ----------------------------------------------------------------------- */

static enum cb_status check_options(const struct cb_run_options *options, struct cb_err *err)
{
    if (options->resume)
        return cb_fail(err, CB_USAGE,
                       "--resume completes a single run; rounds that were interrupted keep those "
                       "that had ended, or are measured anew");
    if (options->json || options->csv)
        return cb_fail(err, CB_USAGE,
                       "--%s is of a single run; of rounds, read run.json and summary.csv in "
                       "the results' folder, or use 'coopbench export'",
                       options->json ? "json" : "csv");
    if (options->interleave.n > MAX_SIDES)
        return cb_fail(err, CB_USAGE,
                       "--interleave takes turns of two: name the other program, or both");
    return CB_OK;
}

/* The sides: with one program to take turns with, this one is the second. */
static enum cb_status choose_sides(struct rounds *r, const struct cb_run_options *options,
                                   struct cb_err *err)
{
    static char itself[] = "/proc/self/exe";
    char id[CB_RUN_ID_BYTES];
    int named = options->interleave.n;
    r->n_sides = named ? MAX_SIDES : 1;
    cb_run_id_make(id, sizeof id);
    const char *chosen = options->run_id ? options->run_id : id;
    for (int i = 0; i < r->n_sides; i++) {
        struct side *s = &r->sides[i];
        s->program = i < named ? cb_texts_at(options->interleave, i) : itself;
        int n = snprintf(s->id, sizeof s->id, "%s%s", chosen, named ? i ? "-b" : "-a" : "");
        if (n >= (int)sizeof s->id || cb_run_id_check(s->id, err) != CB_OK)
            return cb_fail(err, CB_USAGE, "--run-id: too long, or no name for a run: %s", chosen);
        s->run = (struct cb_joined_run){.output_dir = r->output_dir, .id = s->id, .argv = r->argv};
    }
    return CB_OK;
}

/* Whether a word of the command line is the option, with "=" and a value or without. */
static bool is_option(const char *word, const char *option)
{
    size_t n = strlen(option);
    return strncmp(word, option, n) == 0 && (word[n] == '\0' || word[n] == '=');
}

/* The command line without what asks for rounds, and with room for a program before and a round's
 * own options after it. */
static enum cb_status make_command(struct rounds *r, int argc, char **argv, struct cb_err *err)
{
    static const char *const own[] = {"--rounds", "--interleave"};
    r->words = argv;
    r->n_words = argc;
    r->argv = cJSON_CreateArray();
    r->child = calloc((size_t)argc + CB_ROUND_OPTIONS, sizeof *r->child);
    if (!r->argv || !r->child)
        return cb_no_memory(err);
    for (int i = 0; i < argc; i++)
        cJSON_AddItemToArray(r->argv, cJSON_CreateString(argv[i]));
    r->n_child = 1;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            return cb_fail(err, CB_USAGE,
                           "--rounds: leave \"--\" out; a file whose name begins with - is "
                           "./-name");
        bool skip = false;
        for (size_t k = 0; k < CB_COUNTOF(own); k++)
            if (is_option(argv[i], own[k])) {
                skip = true;
                i += !strchr(argv[i], '='); /* skips the option's value, too */
                break;
            }
        if (!skip)
            r->child[r->n_child++] = argv[i];
    }
    return CB_OK;
}

/* Both sides draw the same: else they would measure different things. */
static void choose_seed(struct rounds *r, const struct cb_run_options *options)
{
    uint64_t drawn = cb_now_ns() ^ (uint64_t)getpid() << 32;
    snprintf(r->seed, sizeof r->seed, "%llu",
             (unsigned long long)(options->seed.given ? options->seed.value : drawn));
}

static enum cb_status prepare(struct rounds *r, int argc, char **argv,
                              const struct cb_run_options *options, struct cb_err *err)
{
    r->n_rounds = options->rounds ? (int)options->rounds : DEFAULT_ROUNDS;
    r->output_dir = options->output_dir ? options->output_dir : "results";
    r->quiet = options->quiet;
    r->start_ns = cb_now_ns();
    choose_seed(r, options);
    if (check_options(options, err) != CB_OK || make_command(r, argc, argv, err) != CB_OK ||
        choose_sides(r, options, err) != CB_OK)
        return err->status;
    for (int i = 0; i < r->n_sides; i++) {
        char folder[PATH_MAX], parts[PATH_MAX + 8];
        struct side *s = &r->sides[i];
        snprintf(folder, sizeof folder, "%s/%s", r->output_dir, s->id);
        snprintf(parts, sizeof parts, "%s/rounds", folder);
        if (cb_run_has_document(folder) || access(parts, F_OK) == 0) /* of one that was killed */
            return cb_fail(err, CB_ERROR, "%s holds a run already; choose another --run-id",
                           folder);
        if (cb_round_version(s->program, s->version, sizeof s->version, err) != CB_OK)
            return err->status;
        if (!r->quiet && r->n_sides > 1)
            cb_text_print(stderr, "%s: %s\n", s->id, s->version);
    }
    return CB_OK;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* What a round's exit code means for all of them. */
static enum cb_status status_of(int code)
{
    switch (code) {
    case 0:
    case 1:
    case 3:
    case 4:
        return CB_OK; /* these have rows for all cases */
    case 77:
        return CB_NO_DEVICE;
    case 2:
    case 126:
    case 127:
        return CB_USAGE;
    default:
        return CB_ERROR;
    }
}

/* Measures round k (from 1) of a side. */
static enum cb_status measure(struct rounds *r, struct side *s, int k, struct cb_err *err)
{
    char folder[PATH_MAX], name[16];
    snprintf(folder, sizeof folder, "%s/%s/rounds", r->output_dir, s->id);
    snprintf(name, sizeof name, "%d", k);
    char *own[CB_ROUND_OPTIONS] = {"--output-dir", folder,         "--run-id", name, "--seed",
                                   r->seed,        "--no-profile", "--quiet",  NULL};
    r->child[0] = (char *)s->program;
    for (int i = 0; i == 0 || own[i - 1]; i++)
        r->child[r->n_child + i] = own[i];
    int code = cb_round_run(r->child, 0);
    if (cb_caught_signal())
        return cb_fail(err, CB_INTERRUPTED, "interrupted");
    return status_of(code) == CB_OK
               ? CB_OK
               : cb_fail(err, status_of(code),
                         "round %d of %s ended with exit code %d, so there is nothing to join; its "
                         "command: %s %s ...",
                         k, s->id, code, s->program, r->child[1]);
}

static void announce(const struct rounds *r, int k)
{
    char about[64] = "";
    double passed_s = (double)(cb_now_ns() - r->start_ns) / 1e9;
    if (r->quiet)
        return;
    if (k > 1)
        cb_time_format(passed_s / (k - 1) * (r->n_rounds - k + 1), about, sizeof about);
    fprintf(stderr, "Round %d of %d%s%s%s\n", k, r->n_rounds, *about ? ", " : "", about,
            *about ? " left" : "");
}

/* Round k of all sides: a b, b a, a b, ... so that a drift of the machine helps neither. Only when
 * all have ended they are joined: round k of one side belongs to round k of the other. */
static enum cb_status run_round(struct rounds *r, int k, struct cb_err *err)
{
    for (int i = 0; i < r->n_sides; i++)
        if (measure(r, &r->sides[k % 2 ? i : r->n_sides - 1 - i], k, err) != CB_OK)
            return err->status;
    for (int i = 0; i < r->n_sides; i++) {
        char part[PATH_MAX];
        struct side *s = &r->sides[i];
        snprintf(part, sizeof part, "%s/%s/rounds/%d", r->output_dir, s->id, k);
        if (cb_joined_run_add(&s->run, part, err) != CB_OK)
            return cb_context(err, "round %d of %s (%s)", k, s->id, s->version);
    }
    r->done = k;
    return CB_OK;
}

/* ---- The end --------------------------------------------------------------------------------- */

static void report(const struct rounds *r)
{
    const char *folder = r->output_dir;
    if (r->quiet || r->done == 0)
        return;
    if (r->n_sides == 1) {
        cb_text_print(stdout,
                      "Results: %s/%s (%d round%s joined: run.json, summary.csv, samples.csv)\n",
                      folder, r->sides[0].id, r->done, CB_PLURAL(r->done));
        return;
    }
    cb_text_print(stdout, "Results of %d round%s: %s/%s and %s/%s\n", r->done, CB_PLURAL(r->done),
                  folder, r->sides[0].id, folder, r->sides[1].id);
    fputs("Compare: coopbench compare --baseline", stdout);
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, r->sides[i].id);
        cb_shell_word(stdout, path);
    }
    puts("");
}

/* The first exit code that is not 0, of the joined runs, the newer side first. */
static int finish(struct rounds *r, enum cb_status status, struct cb_err *err)
{
    int code = 0;
    for (int i = r->n_sides; i-- > 0;) {
        struct cb_joined_run *run = &r->sides[i].run;
        if (!run->results)
            continue;
        int own = cb_summary_exit_code(cb_results_document(run->results), cb_caught_signal());
        own = status == CB_OK || cb_caught_signal() ? own : 1;
        code = code ? code : own;
        struct cb_err failure = {0};
        if (cb_joined_run_finish(run, r->done == r->n_rounds, own, &failure) != CB_OK) {
            *err = failure;
            code = 1;
        }
    }
    return code;
}

static void tell_interrupted(const struct rounds *r)
{
    fflush(stdout); /* where the results are goes first, wherever the two end up */
    fprintf(stderr,
            "Interrupted: %d of %d rounds are in the results\n"
            "Rounds cannot be resumed. To measure all of them anew: ",
            r->done, r->n_rounds);
    cb_shell_resume(stderr, program_invocation_name, r->words, r->n_words, NULL);
    fputc('\n', stderr);
}

static void free_rounds(struct rounds *r)
{
    for (int i = 0; i < r->n_sides; i++)
        cb_joined_run_free(&r->sides[i].run);
    cJSON_Delete(r->argv);
    free(r->child);
}

static int run_all(struct rounds *r, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    for (int k = 1; k <= r->n_rounds && status == CB_OK; k++) {
        announce(r, k);
        status = run_round(r, k, err);
    }
    int code = finish(r, status, err);
    report(r);
    if (status != CB_INTERRUPTED)
        return status == CB_OK ? code : cb_exit_code_of(status);
    *err = (struct cb_err){0}; /* the exit code says it */
    if (!r->quiet)
        tell_interrupted(r);
    return cb_exit_code_of(CB_INTERRUPTED);
}

int cb_rounds_run(int argc, char **argv, const struct cb_run_options *options, struct cb_err *err)
{
    struct rounds r = {0};
    enum cb_status status = prepare(&r, argc, argv, options, err);
    int code = status == CB_OK ? run_all(&r, err) : cb_exit_code_of(status);
    free_rounds(&r);
    return code;
}
