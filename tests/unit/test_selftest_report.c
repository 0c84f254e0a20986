/* SPDX-License-Identifier: Apache-2.0
 *
 * The command that runs a trial again that did not pass.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/bench.h"
#include "tests/unit/unit.h"

static void tells(const char *row, const char *command)
{
    char *text = NULL, json[600];
    size_t size;
    snprintf(json, sizeof json,
             "{\"devices\": [{\"id\": \"d\", \"index\": \"0:0\", \"name\": \"D\"}], "
             "\"invocation\": {\"seed\": \"7\", \"settings\": {}}, "
             "\"cases\": [{\"bench\": \"selftest\", \"device\": \"d\", \"status\": \"error\", "
             "\"reason\": \"none\", \"params\": {\"app\": \"bfs\", \"input\": \"grid:3x3\"}, %s}]}",
             row);
    cJSON *run = cJSON_Parse(json);
    FILE *out = open_memstream(&text, &size);
    cb_bench_find("selftest")->report(out, run);
    fclose(out);
    if (!strstr(text, command))
        fail_msg("%s", text);
    free(text);
    cJSON_Delete(run);
}

TEST(command_of_a_failure)
{
    tells("\"id\": \"selftest/stress/12\"",
          "`coopbench selftest --seed 7 --stress 12 --app bfs --device 0:0 --filter "
          "selftest/stress/12`");
}

/* Its neighbour comes along, and is no part of its number. */
TEST(command_of_a_failure_beside)
{
    tells("\"id\": \"selftest/stress/12/beside=grid:groups=4\", \"beside\": \"grid:groups=4\"",
          "`coopbench selftest --seed 7 --stress 12 --app bfs --device 0:0 --beside grid:groups=4 "
          "--filter selftest/stress/12/beside=grid:groups=4`");
}
