/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases share their kernels, so that these are built once.
 */

#include <stdlib.h>
#include <string.h>

#include "measure/process/ahead.h"
#include "tests/unit/unit.h"

static const char *const built_by[] = {"app", "wg-size", "trace?", NULL};
static const struct cb_bench bench = {.id = "fake", .built_by = built_by},
                             other = {.id = "other", .built_by = built_by}, none = {.id = "none"};

/* Returns whether two cases with these parameters need the same kernels. */
static bool agree(const char *params, const char *others)
{
    struct cb_case a = {.bench = &bench, .params = cJSON_Parse(params)},
                   b = {.bench = &bench, .params = cJSON_Parse(others)};
    char *first = cb_ahead_kernels_of(&a), *second = cb_ahead_kernels_of(&b);
    assert_non_null(first);
    assert_non_null(second);
    bool same = strcmp(first, second) == 0;
    free(first);
    free(second);
    cJSON_Delete(a.params);
    cJSON_Delete(b.params);
    return same;
}

TEST(parameters_that_decide)
{
    assert_true(
        agree("{\"app\": \"bfs\", \"wg-size\": 64}", "{\"app\": \"bfs\", \"wg-size\": 64}"));
    assert_false(
        agree("{\"app\": \"bfs\", \"wg-size\": 64}", "{\"app\": \"bfs\", \"wg-size\": 16}"));
    assert_false(
        agree("{\"app\": \"bfs\", \"wg-size\": 64}", "{\"app\": \"mis\", \"wg-size\": 64}"));
    assert_false(agree("{\"app\": \"bfs\", \"wg-size\": 64}", "{\"app\": \"bfs\"}"));
    assert_false(agree("{\"app\": \"bfs wg=64\"}", "{\"app\": \"bfs\", \"wg-size\": 64}"));
    assert_true(agree("{\"wg-size\": 64, \"app\": \"bfs\"}",
                      "{\"app\": \"bfs\", \"input\": \"road\", \"wg-size\": 64}"));
}

TEST(parameters_that_only_have_to_be_there)
{
    assert_true(agree("{\"trace\": \"a\"}", "{\"trace\": \"b\"}"));
    assert_false(agree("{\"trace\": \"a\"}", "{}"));
}

TEST(benches)
{
    struct cb_case a = {.bench = &bench, .params = cJSON_CreateObject()}, b = a, c = a;
    b.bench = &other;
    c.bench = &none;
    char *first = cb_ahead_kernels_of(&a), *second = cb_ahead_kernels_of(&b);
    assert_string_not_equal(first, second);
    assert_null(cb_ahead_kernels_of(&c));
    free(first);
    free(second);
    cJSON_Delete(a.params);
}

TEST(all_benches_build_ahead)
{
    for (int i = 0; cb_benches[i]; i++)
        if (!cb_benches[i]->built_by)
            fail_msg("%s does not say which parameters decide its kernels", cb_benches[i]->id);
}
