/* SPDX-License-Identifier: Apache-2.0
 *
 * What all forms of a comparison have in common: values, counts, reasons, the next command.
 */
#include <math.h>
#include <string.h>

#include "analysis/compare/write.h"
#include "measure/text/json.h"
#include "measure/text/shell.h"
#include "measure/text/units.h"

void cb_compare_value(char *text, size_t size, double value, const char *unit)
{
    size_t n = strlen(unit);
    if (strcmp(unit, "ns") == 0 && value >= 0)
        cb_format_time(text, size, value);
    else if (n > 2 && strcmp(unit + n - 2, "/s") == 0 && value >= 0)
        cb_format_quantity(text, size, value, unit);
    else
        snprintf(text, size, fabs(value) >= 1e4 ? "%.0f%s%s" : "%.4g%s%s", value,
                 strcmp(unit, "1") == 0 ? "" : " ", strcmp(unit, "1") == 0 ? "" : unit);
}

void cb_compare_percent(char *text, size_t size, double relative)
{
    if (isinf(relative))
        snprintf(text, size, "%sfrom 0", relative < 0 ? "below, " : "");
    else if (isnan(relative))
        snprintf(text, size, "?");
    else
        snprintf(text, size, "%+.*f %%", fabs(relative) < 0.1 ? 1 : 0, 100 * relative);
}

void cb_compare_counts(FILE *out, const struct cb_comparisons *c)
{
    const char *comma = "";
    for (int v = 0; v < CB_VERDICTS; v++) {
        bool plural = c->of[v] != 1 && (v == CB_REGRESSION || v == CB_IMPROVEMENT);
        if (c->of[v] == 0)
            continue;
        fprintf(out, "%s%d %s%s", comma, c->of[v], cb_verdict_name((enum cb_verdict)v),
                plural ? "s" : "");
        comma = ", ";
    }
}

void cb_compare_why(char *text, size_t size, const struct cb_comparison *row)
{
    if (row->detail)
        snprintf(text, size, "%s", row->detail);
    else if (row->doubt == CB_DOUBT_FEW)
        snprintf(text, size, "too few samples: %zu and %zu, needed are %d", row->evidence.n_base,
                 row->evidence.n_run, CB_LEAST_SAMPLES);
    else if (row->doubt == CB_DOUBT_SPREAD)
        snprintf(text, size, "%s (%.1f %%)", cb_doubt_text(row->doubt), 100 * row->evidence.spread);
    else
        snprintf(text, size, "%s", cb_doubt_text(row->doubt));
}

/* ---- The command that decides ---------------------------------------------------------------- */

/* Options of the run that the command replaces; all take a value. */
static const char *const replaced[] = {"--run-id", "--resume", "--json", "--csv", "--rounds"};
static const char *const filters[] = {"--filter"};
static const char *const turns[] = {"--interleave"};

#define FLAGS  "q" /* letters of options without a value, which may stand before: -qfGLOB */
#define FILTER 'f'

static const cJSON *argv_of(const cJSON *run)
{
    return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(run, "invocation"),
                                            "argv");
}

/* Whether it is one of these, perhaps abbreviated, as getopt_long() allows. */
static bool is_one_of(const char *word, const char *const *names, size_t n)
{
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < n && length > 2; i++)
        if (strncmp(names[i], word, length) == 0)
            return true;
    return false;
}

/* "-fGLOB", or "-f" before one: where its value is, if it is this option; else NULL. */
static const char *after_letter(const char *word)
{
    const char *letter = word[0] == '-' ? word + 1 + strspn(word + 1, FLAGS) : "";
    return *letter == FILTER ? letter + 1 : NULL;
}

/* Whether the command replaces an option; value_follows: in the next word. */
static bool is_replaced(const char *word, bool filtered, bool alone, bool *value_follows)
{
    const char *value = filtered ? after_letter(word) : NULL;
    *value_follows = value ? !*value : !strchr(word, '=');
    return value || is_one_of(word, replaced, CB_COUNTOF(replaced)) ||
           (filtered && is_one_of(word, filters, CB_COUNTOF(filters))) ||
           (alone && is_one_of(word, turns, CB_COUNTOF(turns)));
}

bool cb_compare_is_interleaved(const cJSON *run)
{
    const cJSON *word;
    cJSON_ArrayForEach (word, argv_of(run))
        if (cJSON_IsString(word) && is_one_of(word->valuestring, turns, CB_COUNTOF(turns)))
            return true;
    return false;
}

/* The id as a glob of which nothing is special but '?'. */
static void print_glob(FILE *out, const char *id)
{
    for (; *id; id++)
        fputc(strchr("*?[]\\'", *id) ? '?' : *id, out);
}

const char *cb_compare_method_name(enum cb_method method)
{
    static const char *const names[] = {[CB_UNTESTED] = NULL,
                                        [CB_BY_RUNS] = "runs",
                                        [CB_BY_ROUNDS] = "rounds",
                                        [CB_BY_ADJUSTED_ROUNDS] = "adjusted_rounds",
                                        [CB_BY_BESTS] = "round_bests"};
    return names[method];
}

void cb_compare_command_head(FILE *out, const cJSON *run, bool filtered, bool alone)
{
    const cJSON *word;
    bool is_value = false; /* the word is the value of an option that was left out */
    fputs("coopbench", out);
    cJSON_ArrayForEach (word, argv_of(run)) {
        const char *text = cJSON_GetStringValue(word);
        bool value_follows = false;
        if (text && !is_value && !is_replaced(text, filtered, alone, &value_follows)) {
            cb_shell_word(out, text);
            value_follows = false;
        }
        is_value = value_follows;
    }
}

void cb_compare_command_tail(FILE *out, const struct cb_comparison *const *rows, int n,
                             unsigned rounds)
{
    for (int i = 0; i < n; i++) {
        bool again = false; /* another metric of the same case */
        for (int k = 0; k < i; k++)
            again = again || strcmp(rows[i]->c->id, rows[k]->c->id) == 0;
        if (again)
            continue;
        fputs(" --filter '", out);
        print_glob(out, rows[i]->c->id);
        fputc('\'', out);
    }
    fprintf(out, " --rounds %u", rounds);
}
