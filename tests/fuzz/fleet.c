/* SPDX-License-Identifier: Apache-2.0
 *
 * fleet.json: what became of each device of a fleet, two of which have a run.
 */
#include "analysis/fleet/load.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cb_err err;
    struct cb_fleet_runs runs = {.tables = calloc(2, sizeof *runs.tables), .n = 2};
    fuzz_need(runs.tables, "calloc");
    strcpy(runs.tables[0].document.folder, "fleet/a");
    strcpy(runs.tables[1].document.folder, "b/");
    fuzz_file("fleet.json", data, size);
    fuzz_need(cb_fleet_add_gaps(&runs, fuzz_place(), &err) == CB_OK, "gaps");
    for (int i = 0; i < runs.n_gaps; i++)
        fprintf(fuzz_sink(), "%s %s %s %s %s\n", runs.gaps[i].state, runs.gaps[i].folder,
                runs.gaps[i].host, runs.gaps[i].uuid, runs.gaps[i].why);
    cb_fleet_runs_free(&runs);
    return 0;
}
