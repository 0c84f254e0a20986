/* SPDX-License-Identifier: Apache-2.0
 *
 * Which runs the pictures and tables of a bench are of. A quick look that is newer than a thorough
 * run does not take its place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/beside.h"
#include "measure/text/json.h"
#include "measure/text/markup.h"
#include "plots/plot.h"
#include "plots/report/choose.h"
#include "runtime/host/text.h"

/* Share of the points of the fullest pictures: others may lack the rest. */
#define FULL_SHARE      0.75
#define MOST_FOR_POINTS 5000 /* cases of a run; where one has more, they are counted instead */

static bool is_about(const cJSON *item, const struct cb_bench *bench, const char *device)
{
    return strcmp(cb_json_text(item, "bench", ""), bench->id) == 0 &&
           strcmp(cb_json_text(item, "device", ""), device) == 0;
}

static bool is_ok(const cJSON *item)
{
    return strcmp(cb_json_text(item, "status", ""), "ok") == 0;
}

static const cJSON *cases_of(const cJSON *run)
{
    return cJSON_GetObjectItemCaseSensitive(run, "cases");
}

static int count_ok(const cJSON *run, const struct cb_bench *bench, const char *device)
{
    const cJSON *item;
    int n = 0;
    cJSON_ArrayForEach (item, cases_of(run))
        n += is_about(item, bench, device) && is_ok(item);
    return n;
}

/* ---- How full the pictures of a run are ------------------------------------------------------ */

struct fullness {
    int pictures, points;
};

/* The run with nothing but these cases, as far as pictures are of them: those that had nothing of
 * ours beside them. It refers to the run's items. */
static cJSON *part_of(const cJSON *run, const struct cb_bench *bench, const char *device)
{
    cJSON *part = cJSON_CreateObject(), *cases = cJSON_CreateArray(), *item;
    cJSON_ArrayForEach (item, run)
        if (strcmp(item->string, "cases") != 0)
            cJSON_AddItemReferenceToObject(part, item->string, item);
    for (item = cases_of(run) ? cases_of(run)->child : NULL; item; item = item->next)
        if (is_about(item, bench, device) && !*cb_row_beside(item))
            cJSON_AddItemReferenceToArray(cases, item);
    cJSON_AddItemToObject(part, "cases", cases);
    return part;
}

/* by_cases, or without pictures: as many points as cases that are ok. */
static struct fullness fullness_of(const cJSON *run, const struct cb_bench *bench,
                                   const char *device, bool by_cases)
{
    struct fullness full = {0, 0};
    if (by_cases || !bench->figures)
        return (struct fullness){0, count_ok(run, bench, device)};
    cJSON *part = part_of(run, bench, device);
    for (const struct cb_figure *f = bench->figures; f->id; f++) {
        char *data = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&data, &size);
        int points = out ? cb_plot_points(out, f, &part, 1) : 0;
        if (out)
            fclose(out);
        free(data);
        full.pictures += points > 0;
        full.points += points;
    }
    cJSON_Delete(part);
    return full;
}

static bool is_fuller(struct fullness a, struct fullness b)
{
    return a.pictures != b.pictures ? a.pictures > b.pictures : a.points > b.points;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

/* Chooses a device's newest run that draws as many pictures as any, with nearly as many points;
 * *last: the newest of all. -1: none has a case that is ok. */
static int choose_one(const struct cb_runs *runs, const struct cb_bench *bench, const char *device,
                      int *last)
{
    struct fullness *full = calloc((size_t)runs->count + 1, sizeof *full), best = {-1, 0};
    int *ok = calloc((size_t)runs->count + 1, sizeof *ok), candidates = 0, chosen = -1;
    bool many = false;
    *last = -1;
    for (int i = 0; i < runs->count && ok; i++) {
        ok[i] = count_ok(runs->items[i], bench, device);
        many = many || ok[i] > MOST_FOR_POINTS;
        candidates += ok[i] > 0;
        *last = ok[i] > 0 ? i : *last;
    }
    for (int i = 0; i < runs->count && ok && full && candidates > 1; i++)
        if (ok[i] > 0) {
            full[i] = fullness_of(runs->items[i], bench, device, many);
            best = is_fuller(full[i], best) ? full[i] : best;
        }
    for (int i = runs->count - 1; i >= 0 && full && ok && candidates > 1 && chosen < 0; i--)
        if (ok[i] > 0 && full[i].pictures == best.pictures &&
            full[i].points >= FULL_SHARE * best.points)
            chosen = i;
    free(full);
    free(ok);
    return candidates > 1 ? chosen : *last;
}

static void note(struct cb_report_choice *choice, const cJSON *run, const char *device, int chosen,
                 int last)
{
    cJSON *text = cJSON_CreateObject();
    cJSON_AddStringToObject(text, "device",
                            cb_json_text(cb_json_device(run, device), "name", "an unnamed device"));
    cJSON_AddStringToObject(text, "id", device);
    cJSON_AddNumberToObject(text, "chosen", chosen);
    cJSON_AddNumberToObject(text, "last", last);
    cJSON_AddItemToArray(choice->notes, text);
}

/* The devices that have a case of the bench, by their ids. */
static cJSON *devices_of(const struct cb_runs *runs, const struct cb_bench *bench)
{
    cJSON *devices = NULL, *item;
    for (int i = runs->count - 1; i >= 0; i--)
        cJSON_ArrayForEach (item, cases_of(runs->items[i]))
            if (strcmp(cb_json_text(item, "bench", ""), bench->id) == 0 && is_ok(item))
                cb_json_add_once(&devices, cb_json_text(item, "device", ""));
    return devices;
}

bool cb_report_choose(const struct cb_report *report, const struct cb_bench *bench,
                      struct cb_report_choice *choice)
{
    const struct cb_runs *runs = report->runs;
    cJSON *devices = devices_of(runs, bench), *device;
    bool *chosen = calloc((size_t)runs->count + 1, sizeof *chosen);
    *choice =
        (struct cb_report_choice){.runs = calloc((size_t)runs->count + 1, sizeof *choice->runs),
                                  .notes = cJSON_CreateArray()};
    cJSON_ArrayForEach (device, devices) {
        int last, index = chosen ? choose_one(runs, bench, device->valuestring, &last) : -1;
        if (index < 0)
            continue;
        chosen[index] = true;
        note(choice, runs->items[index], device->valuestring, index, last);
    }
    for (int i = 0; i < runs->count && chosen && choice->runs; i++) {
        if (!chosen[i])
            continue;
        choice->runs[choice->count++] = runs->items[i];
        cJSON_ArrayForEach (device, cases_of(runs->items[i]))
            choice->cases += strcmp(cb_json_text(device, "bench", ""), bench->id) == 0;
    }
    bool made = chosen && choice->runs && choice->notes;
    free(chosen);
    cJSON_Delete(devices);
    return made;
}

void cb_report_choice_free(struct cb_report_choice *choice)
{
    free(choice->runs);
    cJSON_Delete(choice->notes);
    *choice = (struct cb_report_choice){0};
}

/* ---- Saying so ------------------------------------------------------------------------------- */

static void print_name(FILE *out, const cJSON *run)
{
    fputs("<strong>", out);
    cb_markup_text(out, cb_json_text(run, "run_id", "without an id"));
    fputs("</strong> of ", out);
    cb_markup_text(out, cb_json_text(cJSON_GetObjectItemCaseSensitive(run, "time"), "start", "?"));
}

void cb_report_choice_print(const struct cb_report *report, const struct cb_bench *bench,
                            const struct cb_report_choice *choice,
                            cb_report_findings *print_findings)
{
    const cJSON *note;
    cJSON_ArrayForEach (note, choice->notes) {
        const cJSON *run = report->runs->items[(int)cb_json_number(note, "chosen")];
        const cJSON *last = report->runs->items[(int)cb_json_number(note, "last")];
        const char *device = cb_json_text(note, "id", "");
        cb_report_element(report, "h4", cb_json_text(note, "device", ""));
        print_findings(report, bench, run, device);
        if (report->runs->count < 2)
            continue;
        fputs("<p>Of run ", report->out);
        print_name(report->out, run);
        if (last == run) {
            fputs(", the newest.</p>\n", report->out);
            continue;
        }
        fputs(", whose pictures are the fullest. <span class=\"newer\">A newer run, ", report->out);
        print_name(report->out, last);
        const int n = count_ok(last, bench, device);
        fprintf(report->out, ", has %d case%s where this one has %d.</span></p>\n", n, CB_PLURAL(n),
                count_ok(run, bench, device));
    }
}
