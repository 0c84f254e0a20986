/* SPDX-License-Identifier: Apache-2.0
 *
 * How the tasks of a setup come, and when they have to be answered.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup_reader.h"
#include "runtime/host/files.h"

#define MOST_MS 3600e3

const char *const cb_setup_arrivals[] = {[CB_ARRIVALS_PERIODIC] = "periodic",
                                         [CB_ARRIVALS_POISSON] = "poisson",
                                         [CB_ARRIVALS_CLOSED] = "closed",
                                         [CB_ARRIVALS_TIMES] = "file"};

/* Milliseconds in a file, rising, to ns. */
static enum cb_status read_times(struct cb_config_reader *r, struct cb_setup *s, const cJSON *node)
{
    static const char *const keys[] = {"file", NULL};
    struct cb_layout_member number = {.name = "", .element = {'f', sizeof(double), 1}, .count = 1};
    const struct cb_layout layout = {
        .bytes = sizeof(double), .alignment = sizeof(double), .members = &number, .n_members = 1};
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(node, "file");
    struct cb_arrivals *a = &s->arrivals;
    unsigned char *data = NULL;
    size_t size;
    if (cb_setup_keys(r, node, "arrivals", keys) != CB_OK)
        return r->err->status;
    if (!cJSON_IsString(name) || !*name->valuestring)
        return cb_config_fail(r, node, "arrivals", "file: expected a file of milliseconds");
    char *path = cb_path_beside(r->path, name->valuestring);
    if (!path)
        return cb_config_no_memory(r);
    enum cb_status status = cb_setup_load(path, &layout, &data, &size, r->err);
    free(path);
    a->times_ns = s->times_ns = (double *)data;
    a->n_times = status == CB_OK ? size / sizeof(double) : 0;
    if (status != CB_OK)
        return cb_context(r->err, "%s: arrivals", r->path);
    for (size_t i = 0; i < a->n_times; i++) {
        double before = i > 0 ? s->times_ns[i - 1] : 0, ms = s->times_ns[i];
        s->times_ns[i] = ms * 1e6;
        if (!(ms >= 0 && ms <= 24 * MOST_MS && s->times_ns[i] >= before))
            return cb_config_fail(r, name, "arrivals",
                                  "number %zu of the file, %g: expected milliseconds that rise",
                                  i + 1, ms);
    }
    return a->n_times > 0 ? CB_OK : cb_config_fail(r, name, "arrivals", "the file is empty");
}

static enum cb_status read_kind(struct cb_config_reader *r, struct cb_setup *s)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(s->entry, "arrivals");
    if (cJSON_IsObject(node)) {
        s->arrivals.kind = CB_ARRIVALS_TIMES;
        return read_times(r, s, node);
    }
    for (int kind = 0; cJSON_IsString(node) && kind < CB_ARRIVALS_TIMES; kind++)
        if (strcmp(node->valuestring, cb_setup_arrivals[kind]) == 0) {
            s->arrivals.kind = (enum cb_arrivals_kind)kind;
            return CB_OK;
        }
    return !node ? CB_OK
                 : cb_config_fail(r, node, "arrivals",
                                  "expected \"periodic\", \"poisson\", \"closed\" or {\"file\": "
                                  "...}");
}

enum cb_status cb_setup_read_arrivals(struct cb_config_reader *r, struct cb_setup *s)
{
    const cJSON *period = cJSON_GetObjectItemCaseSensitive(s->entry, "period_ms");
    double period_ms = 0, deadline_ms = 0;
    if (!period)
        return cb_config_fail(r, s->entry, "period_ms",
                              "expected how often a task comes: each so many milliseconds");
    if (cb_setup_number_in(r, period, "period_ms", 0.001, MOST_MS, false, &period_ms) != CB_OK ||
        cb_setup_number(r, s->entry, "setup", "deadline_ms", 0.001, MOST_MS, false, &deadline_ms) !=
            CB_OK)
        return r->err->status;
    s->arrivals.period_ns = period_ms * 1e6;
    s->arrivals.deadline_ns = deadline_ms > 0 ? deadline_ms * 1e6 : s->arrivals.period_ns;
    return read_kind(r, s);
}
