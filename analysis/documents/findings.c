/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/beside.h"
#include "analysis/documents/disturbed.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "measure/text/units.h"
#include "runtime/host/text.h"

#define LEAST_RUNS   20
#define TEXT_BYTES   1024
#define REASON_CHARS 160 /* that are cited */
#define LEAST_GAP_NS 50e3

void cb_finding_add(struct cb_findings *findings, const char *id, const char *format, ...)
{
    char raw[TEXT_BYTES], text[CB_TEXT_ROOM(TEXT_BYTES)];
    const char *beside = findings->beside;
    va_list args;
    int n = beside && *beside ? snprintf(raw, sizeof raw, "Beside %.100s: ", beside) : 0;
    va_start(args, format);
    vsnprintf(raw + n, sizeof raw - (size_t)n, format, args);
    va_end(args);
    cb_text_clean(text, sizeof text, raw, strlen(raw), CB_TEXT_QUOTED); /* names of a run's file */
    cJSON *finding = cJSON_CreateObject();
    cJSON_AddStringToObject(finding, "bench", findings->bench->id);
    cJSON_AddStringToObject(finding, "device", cb_json_text(findings->device, "id", ""));
    cJSON_AddStringToObject(finding, "id", id);
    if (beside && *beside)
        cJSON_AddStringToObject(finding, "beside", beside);
    cJSON_AddStringToObject(finding, "text", text);
    cJSON_AddItemToArray(findings->list, finding);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

struct cb_rows cb_findings_rows(const struct cb_findings *f)
{
    return (struct cb_rows){.run = f->run,
                            .bench = f->bench->id,
                            .device = cb_json_text(f->device, "id", ""),
                            .ok = true};
}

static bool is_about(const struct cb_findings *f, const cJSON *item)
{
    return strcmp(cb_json_text(item, "bench", ""), f->bench->id) == 0 &&
           strcmp(cb_json_text(item, "device", ""), cb_json_text(f->device, "id", "")) == 0;
}

static const cJSON *first_case(const struct cb_findings *f)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(f->run, "cases");
    return cases ? cases->child : NULL;
}

static enum cb_status status_of(const cJSON *item)
{
    return cb_status_from_name(cb_json_text(item, "status", ""));
}

const cJSON *cb_findings_next(const struct cb_findings *f, const cJSON *previous)
{
    const cJSON *item = previous ? previous->next : first_case(f);
    while (item && (!is_about(f, item) || status_of(item) != CB_OK))
        item = item->next;
    return item;
}

/* The number of its cases with a status, and the first of them (NULL: none). */
static int count(const struct cb_findings *f, enum cb_status status, const cJSON **first)
{
    int n = 0;
    *first = NULL;
    for (const cJSON *item = first_case(f); item; item = item->next)
        if (is_about(f, item) && status_of(item) == status && n++ == 0)
            *first = item;
    return n;
}

bool cb_findings_have(const struct cb_findings *f, enum cb_status status)
{
    const cJSON *first;
    return count(f, status, &first) > 0;
}

static int count_all(const struct cb_findings *f)
{
    int n = 0;
    for (const cJSON *item = first_case(f); item; item = item->next)
        n += is_about(f, item);
    return n;
}

int cb_findings_runs(const cJSON *item)
{
    double runs = cb_json_number(cJSON_GetObjectItemCaseSensitive(item, "sampling"), "runs");
    return runs > LEAST_RUNS / 4 ? 4 * (int)fmin(runs, 1e6) : LEAST_RUNS;
}

/* ---- Commands -------------------------------------------------------------------------------- */

const char *cb_findings_command(const struct cb_findings *f, const char *arguments,
                                char text[CB_COMMAND_BYTES])
{
    static const char *const kinds[] = {"gpu", "cpu"};
    const cJSON *settings = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(f->run, "invocation"), "settings");
    int n = snprintf(text, CB_COMMAND_BYTES, "coopbench %s", arguments);
    size_t used = n < 0 || n >= CB_COMMAND_BYTES ? strlen(text) : (size_t)n;
    for (size_t i = 0; i < CB_COUNTOF(kinds); i++)
        if (cJSON_GetObjectItemCaseSensitive(settings, kinds[i])) {
            snprintf(text + used, CB_COMMAND_BYTES - used, " --%s", kinds[i]);
            return text;
        }
    if (cJSON_GetObjectItemCaseSensitive(settings, "device"))
        snprintf(text + used, CB_COMMAND_BYTES - used, " --device %.60s",
                 cb_json_text(f->device, "index", ""));
    return text;
}

/* ---- What went wrong ------------------------------------------------------------------------- */

/* What is likely to be the cause, the likeliest first, and what comes next; all others have to be
 * ruled out before a device is blamed. "": the status says it all. */
static void format_cause(const struct cb_findings *f, enum cb_status status, const cJSON *first,
                         char *text, size_t size)
{
    char command[CB_COMMAND_BYTES];
    const cJSON *invocation = cJSON_GetObjectItemCaseSensitive(f->run, "invocation"),
                *params = cJSON_GetObjectItemCaseSensitive(first, "params");
    *text = '\0';
    if (status == CB_TIMEOUT && cb_row_is_disturbed(first))
        snprintf(text, size,
                 " Another program used the device meanwhile, which alone may be the cause.");
    if (status != CB_VERIFY_FAILED && status != CB_CRASHED)
        return;
    if (f->bench->is_users && f->bench->is_users(params))
        snprintf(
            text, size,
            " The likeliest cause is your kernel, or its setup: an index out of bounds, a race "
            "between workgroups, something that it changes and does not initialise (it is run "
            "again and again). `%s` runs kernels that are known to be right on this device.",
            cb_findings_command(f, "selftest", command));
    else if (status == CB_VERIFY_FAILED)
        snprintf(text, size,
                 " What may be wrong, the likeliest first: coopbench, the driver, the device. Run "
                 "it again, also while nobody else uses the device: the same command with `--seed "
                 "%s --filter %s`. If it comes again, report it with its run.json.",
                 cb_json_text(invocation, "seed", "?"), cb_json_text(first, "id", ""));
}

/* "2 of 30 cases gave a wrong result; the first, ID: REASON." */
static void add_failures(struct cb_findings *f, enum cb_status status, const char *what)
{
    const cJSON *first;
    char cause[640];
    int n = count(f, status, &first);
    if (n == 0)
        return;
    const char *reason = cb_json_text(first, "reason", "no reason is known");
    int length = (int)strcspn(reason, "\n");
    bool cut = length > REASON_CHARS || reason[length] != '\0';
    format_cause(f, status, first, cause, sizeof cause);
    cb_finding_add(f, cb_status_name(status), "%d of %d case%s %s%s %s: %.*s%s%s", n, count_all(f),
                   CB_PLURAL(count_all(f)), what, n > 1 ? "; the first," : ":",
                   cb_json_text(first, "id", ""), length > REASON_CHARS ? REASON_CHARS : length,
                   reason, cut ? " ..." : ".", cause);
}

static void add_all_failures(struct cb_findings *f)
{
    static const struct {
        enum cb_status status;
        const char *what;
    } kinds[] = {
        {CB_VERIFY_FAILED, "gave a wrong result"},
        {CB_TIMEOUT, "ran past a deadline"},
        {CB_CRASHED, "crashed"},
        {CB_ERROR, "failed"},
        {CB_USAGE, "had a wrong input"},
        {CB_UNSUPPORTED, "cannot run on this device"},
    };
    for (size_t i = 0; i < CB_COUNTOF(kinds); i++)
        if (kinds[i].status != CB_UNSUPPORTED || !cb_findings_next(f, NULL))
            add_failures(f, kinds[i].status, kinds[i].what);
}

/* ---- Neighbours ------------------------------------------------------------------------------ */

/* No finding rests on what others disturbed. */
static bool is_quiet(const cJSON *row, const void *unused)
{
    (void)unused;
    return !cb_row_is_disturbed(row);
}

/* Says which cases others disturbed, and by how much; returns how many. */
static int add_disturbed(struct cb_findings *f)
{
    double share = 0, longest_ns = 0;
    char gaps[64] = "", time[32];
    int n = 0, all = count_all(f);
    for (const cJSON *item = first_case(f); item; item = item->next) {
        const cJSON *mark = cJSON_GetObjectItemCaseSensitive(item, "disturbed");
        if (!mark || !is_about(f, item) || status_of(item) == CB_SKIPPED) /* it has no times */
            continue;
        share += (cb_json_number(mark, "share") - share) / ++n;
        longest_ns = fmax(longest_ns, cb_json_number(mark, "longest_ns"));
    }
    if (n == 0)
        return 0;
    cb_format_time(time, sizeof time, longest_ns);
    if (longest_ns >= LEAST_GAP_NS)
        snprintf(gaps, sizeof gaps, ", up to %s at a time", time);
    cb_finding_add(
        f, "disturbed",
        "Another program used the device during %d of %d case%s, for %.0f %% of their "
        "time%s%s",
        n, all, CB_PLURAL(all), fmax(1, 100 * share), gaps,
        f->bench->holds_beside ? ": what is said here holds all the same, but took longer."
        : n == all ? ": their times are not the device's, and nothing is concluded from "
                     "them. Run it again on a quiet device (--shared wait waits for that)."
                   : ": their times are not the device's, and what follows rests on the "
                     "others alone. --shared wait waits for a quiet device.");
    return n;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void find_all(struct cb_findings *f)
{
    const cJSON *first;
    int missing = count(f, CB_INTERRUPTED, &first), all = count_all(f);
    if (all == 0)
        return;
    if (missing > 0) {
        cb_finding_add(f, "interrupted",
                       "The run was interrupted when %d of %d cases had ended: nothing is "
                       "concluded from it.",
                       all - missing, all);
        return;
    }
    add_all_failures(f);
    cJSON *quiet = add_disturbed(f) > 0 && !f->bench->holds_beside
                       ? cb_run_part(f->run, is_quiet, NULL)
                       : NULL;
    struct cb_findings of_quiet = *f;
    of_quiet.run = quiet ? quiet : f->run;
    if (f->bench->findings && cb_findings_next(&of_quiet, NULL))
        f->bench->findings(&of_quiet);
    cJSON_Delete(quiet);
}

/* Each sentence about what was measured beside something of ours begins with that. */
static void find_beside(struct cb_findings *f, const cJSON *run, const char *beside)
{
    cJSON *part = cb_run_beside(run, beside);
    f->run = part;
    f->beside = beside;
    find_all(f);
    cJSON_Delete(part);
}

cJSON *cb_findings_of(const cJSON *run, const struct cb_bench *bench)
{
    struct cb_findings f = {.run = run, .bench = bench, .beside = "", .list = cJSON_CreateArray()};
    cJSON *besides = cb_run_besides(run, bench);
    cJSON *quiet = besides && !bench->holds_beside ? cb_run_part(run, is_quiet, NULL) : NULL;
    const cJSON *beside;
    f.all = quiet ? quiet : run;
    cJSON_ArrayForEach (f.device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        if (!besides)
            find_all(&f);
        cJSON_ArrayForEach (beside, besides)
            find_beside(&f, run, beside->valuestring);
    }
    cJSON_Delete(quiet);
    cJSON_Delete(besides);
    return f.list;
}

void cb_findings_update(cJSON *document)
{
    cJSON *all = cJSON_CreateArray(), *finding;
    for (int i = 0; cb_benches[i]; i++) {
        cJSON *some = cb_findings_of(document, cb_benches[i]);
        while ((finding = cJSON_DetachItemFromArray(some, 0)) != NULL)
            cJSON_AddItemToArray(all, finding);
        cJSON_Delete(some);
    }
    cJSON_DeleteItemFromObjectCaseSensitive(document, "findings");
    if (all && all->child)
        cJSON_AddItemToObject(document, "findings", all);
    else
        cJSON_Delete(all);
}

/* An item of a list, with lines of no more than so many characters where words allow it. */
static void print_item(FILE *out, const char *text, int width)
{
    int column = 1;
    fputc('-', out);
    while (*(text += strspn(text, " \n"))) {
        int bytes = (int)strcspn(text, " \n"), length = 0;
        for (int i = 0; i < bytes; i++)
            length += ((unsigned char)text[i] & 0xc0) != 0x80;
        bool fits = column == 1 || column + 1 + length <= width;
        fputs(fits ? " " : "\n  ", out);
        column = fits ? column + 1 + length : 2 + length;
        fwrite(text, 1, (size_t)bytes, out);
        text += bytes;
    }
    fputc('\n', out);
}

void cb_findings_print(FILE *out, const cJSON *run)
{
    int width = cb_line_width(out);
    for (int i = 0; cb_benches[i]; i++) {
        cJSON *findings = cb_findings_of(run, cb_benches[i]);
        const cJSON *finding;
        const char *before = NULL;
        cJSON_ArrayForEach (finding, findings) {
            const char *device = cb_json_text(finding, "device", "");
            if (!before || strcmp(before, device) != 0)
                fprintf(out, "\nIn short: %s on %s\n\n", cb_benches[i]->id,
                        cb_json_text(cb_json_device(run, device), "name", "an unnamed device"));
            before = device;
            print_item(out, cb_json_text(finding, "text", ""), width);
        }
        cJSON_Delete(findings);
    }
}
