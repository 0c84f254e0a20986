/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables that are printed as soon as they are finished: with runs that were measured, whose cases
 * end in any order.
 */

#include <stdlib.h>
#include <string.h>

#include "analysis/documents/document.h"
#include "cli/suite/blocks.h"
#include "cli/suite/tables.h"
#include "measure/engine.h"
#include "measure/text/json.h"
#include "tests/unit/unit.h"

#define REFERENCE COOPBENCH_TEST_DIR "/../results/reference/"
#define WIDTH     100

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void blocks_are(const char *text, const char *const *expected, int n)
{
    struct cb_blocks blocks = cb_blocks_of(strdup(text));
    assert_int_equal(blocks.count, n);
    for (int i = 0; i < n; i++) {
        assert_string_equal(blocks.items[i].text, expected[i] + 1);
        assert_int_equal(blocks.items[i].table, expected[i][0] == 'T');
    }
    cb_blocks_free(&blocks);
}

TEST(titles_belong_to_their_tables)
{
    blocks_are("", NULL, 0);
    blocks_are("\n", NULL, 0);
    blocks_are("text", (const char *[]){" text"}, 1);
    blocks_are(
        "\ndevice\n\ntitle\n\n| a |\n| b |\n\n| c |\n\n\n- note\n- note\n\nend\n",
        (const char *[]){" device", "Ttitle\n\n| a |\n| b |", "T| c |", " - note\n- note", " end"},
        5);
    blocks_are("title\n\n| a |\n", (const char *[]){"Ttitle\n\n| a |"}, 1);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static struct cb_device devices[4];

static const struct cb_device *device_of(const cJSON *row)
{
    const char *id = cb_json_text(row, "device", "");
    for (size_t i = 0; i < CB_COUNTOF(devices); i++) {
        if (!devices[i].id[0])
            snprintf(devices[i].id, sizeof devices[i].id, "%s", id);
        if (strcmp(devices[i].id, id) == 0)
            return &devices[i];
    }
    fail_msg("too many devices");
    return NULL;
}

static struct cb_plan plan_of(const cJSON *run)
{
    struct cb_plan plan = {0};
    const cJSON *row;
    memset(devices, 0, sizeof devices);
    cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(run, "cases")) {
        plan.bench = cb_bench_find(cb_json_text(row, "bench", ""));
        assert_non_null(plan.bench);
        plan.device = device_of(row);
        const char *place = strchr(cb_json_text(row, "id", "/"), '/');
        assert_non_null(place);
        struct cb_case *c = cb_plan_add(&plan, "%s", place + 1);
        cJSON_Delete(c->params);
        c->params = cJSON_Duplicate(cb_json_params(row), true);
    }
    return plan;
}

/* The run with those of its rows that are marked. */
static cJSON *part_of(const cJSON *run, const bool *ended)
{
    cJSON *part = cJSON_CreateObject(), *cases = cJSON_CreateArray(), *item;
    int i = 0;
    cJSON_ArrayForEach (item, run)
        if (strcmp(item->string, "cases") != 0)
            cJSON_AddItemReferenceToObject(part, item->string, item);
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (ended[i++])
            cJSON_AddItemReferenceToArray(cases, item);
    cJSON_AddItemToObject(part, "cases", cases);
    return part;
}

static char *rest_of(const struct cb_tables *tables, const cJSON *run)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    cb_tables_rest(out, tables, run);
    fclose(out);
    return text;
}

static int by_text(const void *a, const void *b)
{
    const struct cb_block *x = a, *y = b;
    return strcmp(x->text, y->text);
}

static struct cb_blocks sorted_blocks(char *text)
{
    struct cb_blocks blocks = cb_blocks_of(text);
    if (blocks.count > 0)
        qsort(blocks.items, (size_t)blocks.count, sizeof *blocks.items, by_text);
    return blocks;
}

static void same_blocks(const char *name, char *printed, char *report)
{
    struct cb_blocks a = sorted_blocks(printed), b = sorted_blocks(report);
    for (int i = 0; i < a.count && i < b.count; i++)
        if (strcmp(a.items[i].text, b.items[i].text) != 0)
            fail_msg("%s: printed:\n%s\n\nreported:\n%s", name, a.items[i].text, b.items[i].text);
    if (a.count != b.count)
        fail_msg("%s: %d blocks were printed instead of %d", name, a.count, b.count);
    cb_blocks_free(&a);
    cb_blocks_free(&b);
}

struct outcome {
    int first;    /* table, when so many of 100 cases had ended; 100: at the end */
    double early; /* share of the tables that were printed before the end */
};

/* Ends the cases one after the other, looking `looks` times, and prints what can be printed. */
static struct outcome replay(const char *name, const cJSON *run, uint64_t seed, int looks)
{
    struct cb_plan plan = plan_of(run);
    struct cb_tables tables, none;
    struct outcome o = {.first = 100};
    int *places = calloc((size_t)plan.count + 1, sizeof *places), step = plan.count / looks + 1,
        n = 0, all = 0;
    bool *ended = calloc((size_t)plan.count + 1, sizeof *ended);
    char *printed = NULL;
    size_t size;
    FILE *out = open_memstream(&printed, &size);
    cb_engine_order(&plan, CB_ORDER_RANDOM, seed, places);
    cb_tables_begin(&tables, &plan, WIDTH);
    cb_tables_begin(&none, &plan, WIDTH);
    for (int i = 0; i < plan.count; i++) {
        ended[places[i]] = true;
        if (i % step != step - 1 && i < plan.count - 2)
            continue;
        cJSON *part = part_of(run, ended);
        tables.spent_ns = 0; /* this is no run whose time must be saved */
        char *text = cb_tables_take(&tables, part);
        if (text) {
            o.first = o.first < 100 ? o.first : 100 * i / plan.count;
            fputs(text, out);
        }
        free(text);
        cJSON_Delete(part);
    }
    char *rest = rest_of(&tables, run), *report = rest_of(&none, run);
    fputs(rest, out);
    fclose(out);
    struct cb_blocks left = cb_blocks_of(rest), whole = cb_blocks_of(strdup(report));
    for (int i = 0; i < left.count; i++)
        n += left.items[i].table;
    for (int i = 0; i < whole.count; i++)
        all += whole.items[i].table;
    o.early = all > 0 ? 1 - (double)n / all : 0;
    cb_blocks_free(&left);
    cb_blocks_free(&whole);
    same_blocks(name, printed, report);
    cb_tables_end(&tables);
    cb_tables_end(&none);
    cb_plan_free(&plan);
    free(places);
    free(ended);
    return o;
}

TEST(every_block_is_printed_once)
{
    static const char *const runs[] = {"nvidia-h200/apps-bfs-grid",
                                       "nvidia-h200/discover",
                                       "nvidia-h200/graphics",
                                       "nvidia-h200/memory",
                                       "nvidia-h200/multitask",
                                       "nvidia-h200/preempt",
                                       "nvidia-h200/primitives",
                                       "nvidia-h100/paper-oopsla16",
                                       "nvidia-h100/table3",
                                       "nvidia-h200/throttle-pairs",
                                       "pocl-3.1/apps",
                                       "pocl-3.1/table3"};
    for (size_t i = 0; i < CB_COUNTOF(runs); i++) {
        char path[512];
        cJSON *run;
        struct cb_err err;
        snprintf(path, sizeof path, REFERENCE "%s/run.json.gz", runs[i]);
        if (cb_run_document_read(path, &run, &err) != CB_OK)
            fail_msg("%s", err.text);
        struct outcome o = replay(runs[i], run, i, 20);
        print_message("%s, seed %d: first table after %d %%, %.0f %% of them before the end\n",
                      runs[i], (int)i, o.first, 100 * o.early);
        cJSON_Delete(run);
    }
}
