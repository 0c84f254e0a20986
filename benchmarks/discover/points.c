/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/discover/points.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "runtime/host/error.h"

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static const cJSON *first_in(const cJSON *array)
{
    return array ? array->child : NULL;
}

double cb_point_stat(const struct cb_point *p, const char *metric, const char *statistic)
{
    return cb_json_metric(p->item, metric, statistic);
}

bool cb_point_is(const struct cb_point *p, int place, const char *protocol,
                 const char *microbenchmark)
{
    return p->place == place && strcmp(p->protocol, protocol) == 0 &&
           same_text(p->microbenchmark, microbenchmark);
}

/* Appends name without trademark signs, and without what would end a field of the table. */
static void append_clean(char *label, size_t size, const char *name)
{
    static const char *const signs[] = {"(R)", "(r)", "(TM)", "(tm)"};
    size_t n = strlen(label);
    while (*name && n + 1 < size) {
        size_t skip = 0;
        for (size_t i = 0; i < CB_COUNTOF(signs); i++)
            if (strncmp(name, signs[i], strlen(signs[i])) == 0)
                skip = strlen(signs[i]);
        if (skip) {
            name += skip;
            continue;
        }
        char c = *name++;
        if (c == '"' || c == '\\' || iscntrl((unsigned char)c))
            c = ' ';
        if (c != ' ' || (n > 0 && label[n - 1] != ' '))
            label[n++] = c;
    }
    while (n > 0 && label[n - 1] == ' ')
        n--;
    label[n] = '\0';
}

/* Names a place so that no two have the same label: the device's name; its number if the run has
 * several devices of that name; the run if several runs have one. */
static void label_place(const struct cb_points *set, int index)
{
    struct cb_place *place = &set->places[index];
    const char *name = cb_json_text(place->device, "name", NULL);
    int before = 0, same_run = 0, other_runs = 0;
    for (int i = 0; i < set->n_places; i++) {
        if (!same_text(cb_json_text(set->places[i].device, "name", NULL), name))
            continue;
        same_run += set->places[i].run == place->run;
        before += set->places[i].run == place->run && i < index;
        other_runs += set->places[i].run != place->run;
    }
    append_clean(place->label, sizeof place->label, name ? name : "unnamed device");
    size_t n = strlen(place->label);
    if (same_run > 1)
        snprintf(place->label + n, sizeof place->label - n, " #%d", before + 1);
    const char *run_id = cb_json_text(place->run, "run_id", NULL);
    if (other_runs && run_id) {
        n = strlen(place->label);
        snprintf(place->label + n, sizeof place->label - n, " (");
        append_clean(place->label, sizeof place->label - 1, run_id);
        strcat(place->label, ")");
    }
}

static void add_point(struct cb_points *set, const cJSON *item, int place)
{
    const cJSON *params = cb_json_params(item);
    const char *protocol = cb_json_text(params, "protocol", NULL);
    if (!protocol)
        return;
    const char *delay = cb_json_text(params, "delay", NULL);
    set->points[set->n++] = (struct cb_point){
        .place = place,
        .protocol = protocol,
        .microbenchmark = cb_json_text(params, "microbenchmark", NULL),
        .wg = cb_json_number(params, "wg-size"),
        .delay = delay ? delay : "",
        .item = item,
    };
}

/* Adds the ok cases of one device of one run; a device without any does not become a place. */
static void add_place(struct cb_points *set, const cJSON *run, const cJSON *device)
{
    set->places[set->n_places] =
        (struct cb_place){.run = run,
                          .device = device,
                          .compute_units = cb_json_number(device, "compute_units"),
                          .is_gpu = same_text(cb_json_text(device, "type", NULL), "gpu")};
    int before = set->n;
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(run, "cases");
    for (const cJSON *item = first_in(cases); item; item = item->next)
        if (same_text(cb_json_text(item, "bench", NULL), "discover") &&
            same_text(cb_json_text(item, "status", NULL), "ok") &&
            same_text(cb_json_text(item, "device", NULL), cb_json_text(device, "id", NULL)))
            add_point(set, item, set->n_places);
    set->n_places += set->n > before;
}

void cb_points_free(struct cb_points *set)
{
    free(set->places);
    free(set->points);
}

struct cb_points cb_points_of(cJSON *const *runs, int n)
{
    size_t n_places = 1, n_points = 1;
    for (int i = 0; i < n; i++) {
        const cJSON *devices = cJSON_GetObjectItemCaseSensitive(runs[i], "devices");
        const cJSON *cases = cJSON_GetObjectItemCaseSensitive(runs[i], "cases");
        n_places += (size_t)cJSON_GetArraySize(devices);
        n_points += (size_t)cJSON_GetArraySize(cases);
    }
    struct cb_points set = {.places = calloc(n_places, sizeof *set.places),
                            .points = calloc(n_points, sizeof *set.points)};
    if (!set.places || !set.points)
        return set;
    for (int i = 0; i < n; i++) {
        const cJSON *devices = cJSON_GetObjectItemCaseSensitive(runs[i], "devices");
        for (const cJSON *device = first_in(devices); device; device = device->next)
            add_place(&set, runs[i], device);
    }
    for (int i = 0; i < set.n_places; i++)
        label_place(&set, i);
    return set;
}
