/* SPDX-License-Identifier: Apache-2.0
 *
 * The index of a folder of runs: whatever it holds, a run is what its document says.
 */
#include <sys/stat.h>

#include "analysis/store/index.h"
#include "analysis/store/load.h"
#include "tests/fuzz/fuzz.h"

#define DOCUMENT                                                                                   \
    "{\"schema\": \"coopbench-run\", \"schema_version\": \"2.0\", \"run_id\": \"one\", "           \
    "\"host\": {\"cpu\": \"c\"}, \"devices\": [{\"id\": \"d\", \"name\": \"D\"}], \"cases\": ["    \
    "{\"id\": \"f/0\", \"bench\": \"f\", \"device\": \"d\", \"status\": \"ok\", \"params\": "      \
    "{\"a\": 1}, \"metrics\": [{\"name\": \"time\", \"unit\": \"ns\", \"better\": \"lower\", "     \
    "\"n\": 9, \"median\": 5}]}]}\n"

static char run_folder[300], run_file[320];

static void remove_run(void)
{
    unlink(run_file);
    rmdir(run_folder);
}

/* A run in the folder, whose time of change is always the same. */
static void make_run(void)
{
    const struct timespec then[] = {{1000000000, 0}, {1000000000, 0}};
    if (run_file[0])
        return;
    snprintf(run_folder, sizeof run_folder, "%s/run", fuzz_place());
    snprintf(run_file, sizeof run_file, "%s/run.json", run_folder);
    fuzz_need(mkdir(run_folder, 0700) == 0, run_folder);
    atexit(remove_run);
    fuzz_file("run/run.json", (const uint8_t *)DOCUMENT, sizeof DOCUMENT - 1);
    fuzz_need(utimensat(AT_FDCWD, run_file, then, 0) == 0, run_file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cb_stored_runs runs;
    struct cb_err err = {0};
    make_run();
    fuzz_file(CB_INDEX_FILE, data, size);
    char *folder = fuzz_folder;
    fuzz_need(cb_stored_runs_load(&folder, 1, &runs, &err) == CB_OK, err.text);
    const struct cb_stored_run *run = &runs.items[0];
    fuzz_need(runs.n == 1 && strcmp(run->id, "one") == 0, "the run");
    fuzz_need(run->layout->n_metrics == 1 && strcmp(run->layout->table.cases[0].id, "f/0") == 0,
              "its case");
    fuzz_need(run->levels[0].median == 5, "its median");
    cb_stored_runs_free(&runs);
    return 0;
}
