/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/disturbed.h"

#include <math.h>
#include <string.h>

#include "measure/bench.h"
#include "measure/text/json.h"
#include "runtime/neighbours/neighbours.h"

#define GOES_ON_S  2   /* what a sample has seen, without a look since */
#define SAME_SHARE 0.1 /* shares of looks that differ by no more make one spell */

/* Sets it if the value is a number, and larger than what is there. */
static void raise_number(cJSON *object, const char *key, double value)
{
    const double now = cb_json_number(object, key);
    if (!isnan(value) && !(now >= value))
        cb_json_put_number(object, key, value);
}

/* ---- Looks ----------------------------------------------------------------------------------- */

static cJSON *find_device(const cJSON *document, const char *device)
{
    cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(document, "neighbours"))
        if (strcmp(cb_json_text(item, "device", ""), device) == 0)
            return item;
    return NULL;
}

static cJSON *find_or_add_device(cJSON *document, const char *device)
{
    cJSON *item = find_device(document, device);
    cJSON *list = cJSON_GetObjectItemCaseSensitive(document, "neighbours");
    if (item)
        return item;
    list = list ? list : cJSON_AddArrayToObject(document, "neighbours");
    cJSON_AddItemToArray(list, item = cJSON_CreateObject());
    cJSON_AddStringToObject(item, "device", device);
    cJSON_AddNumberToObject(item, "looks", 0);
    cJSON_AddArrayToObject(item, "spells");
    return item;
}

static bool is_quiet(const cJSON *spell)
{
    return !cJSON_HasObjectItem(spell, "sign");
}

/* Takes over what was seen in a part of the time, from 0 to 1: shares become the mean. */
static void take_sign(cJSON *to, const cJSON *from, double part)
{
    const double before = cb_json_number(to, "share"), share = cb_json_number(from, "share");
    if (isnan(before))
        cJSON_AddStringToObject(to, "sign", cb_json_text(from, "sign", ""));
    cb_json_put_number(to, "share", isnan(before) ? share : before + (share - before) * part);
    raise_number(to, "longest_ns", cb_json_number(from, "longest_ns"));
}

/* Whether a look has seen what the spell is of: others with about the same share of the time, or
 * nobody. */
static bool continues(const cJSON *spell, const cJSON *look)
{
    if (is_quiet(spell) || is_quiet(look))
        return is_quiet(spell) && is_quiet(look);
    return fabs(cb_json_number(spell, "share") - cb_json_number(look, "share")) <= SAME_SHARE;
}

void cb_disturbed_note(cJSON *document, const char *device, const cJSON *look, uint64_t start_ns)
{
    cJSON *item = find_or_add_device(document, device);
    cJSON *spells = cJSON_GetObjectItemCaseSensitive(item, "spells");
    cJSON *last = spells->child ? spells->child->prev : NULL;
    const double end_s = (cb_json_number(look, "end_ns") - (double)start_ns) / 1e9;
    cb_json_put_number(item, "looks", cb_json_number(item, "looks") + 1);
    raise_number(item, "processes", cb_json_number(look, "processes"));
    raise_number(item, "bytes", cb_json_number(look, "bytes"));
    const double begin_s = fmax(0, (cb_json_number(look, "begin_ns") - (double)start_ns) / 1e9);
    if (!last || !continues(last, look)) {
        cJSON_AddItemToArray(spells, last = cJSON_CreateObject());
        cb_json_put_number(last, "begin_s", begin_s);
        cb_json_put_number(last, "first_s", end_s);
    }
    cb_json_put_number(last, "end_s", end_s);
    if (!is_quiet(look))
        take_sign(last, look,
                  (end_s - begin_s) / fmax(end_s - cb_json_number(last, "begin_s"), 1e-9));
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* When what was seen in a spell may have ended. */
static double end_of(const cJSON *spell)
{
    const bool sampled = strcmp(cb_json_text(spell, "sign", ""), CB_SIGN_GAPS) == 0;
    if (!sampled)
        return cb_json_number(spell, "end_s");
    return spell->next ? cb_json_number(spell->next, "first_s")
                       : cb_json_number(spell, "end_s") + GOES_ON_S;
}

void cb_disturbed_mark_row(const cJSON *document, cJSON *row)
{
    const cJSON *device = find_device(document, cb_json_text(row, "device", "")), *spell;
    const double begin_s = cb_json_number(row, "begin_s"), end_s = cb_json_number(row, "end_s");
    double seen_s = 0;
    if (isnan(begin_s) || isnan(end_s))
        return;
    cJSON *mark = cJSON_CreateObject();
    cJSON_ArrayForEach (spell, cJSON_GetObjectItemCaseSensitive(device, "spells")) {
        const double from_s = fmax(begin_s, cb_json_number(spell, "begin_s"));
        const double to_s = fmin(end_s, end_of(spell));
        if (is_quiet(spell) || from_s > to_s)
            continue;
        seen_s += fmax(to_s - from_s, 1e-9);
        take_sign(mark, spell, fmax(to_s - from_s, 1e-9) / seen_s);
    }
    if (mark->child)
        cb_json_put(row, "disturbed", mark);
    else
        cJSON_Delete(mark);
}

void cb_disturbed_mark(cJSON *document)
{
    cJSON *row;
    cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(document, "cases"))
        cb_disturbed_mark_row(document, row);
}

void cb_disturbed_join(cJSON *row, const cJSON *from)
{
    const cJSON *mark = cJSON_GetObjectItemCaseSensitive(from, "disturbed");
    cJSON *joined = cJSON_GetObjectItemCaseSensitive(row, "disturbed");
    if (!mark)
        return;
    if (!joined)
        cb_json_put(row, "disturbed", joined = cJSON_Duplicate(mark, true));
    raise_number(joined, "share", cb_json_number(mark, "share"));
    raise_number(joined, "longest_ns", cb_json_number(mark, "longest_ns"));
}

bool cb_row_is_disturbed(const cJSON *row)
{
    return cJSON_HasObjectItem(row, "disturbed");
}

bool cb_row_is_spoilt(const cJSON *row)
{
    const struct cb_bench *bench = cb_bench_find(cb_json_text(row, "bench", ""));
    return cb_row_is_disturbed(row) && !(bench && bench->holds_beside);
}
