/* SPDX-License-Identifier: Apache-2.0
 *
 * A run document, exported to all formats, as one run and as the run before it.
 */
#include "analysis/export/export.h"
#include "analysis/documents/document.h"
#include "tests/fuzz/fuzz.h"

static void export_twice(const cJSON *run)
{
    const cJSON *const runs[] = {run, run};
    struct cb_export rows;
    struct cb_err err;
    if (cb_export_open(&rows, runs, 2, &err) == CB_OK)
        for (const struct cb_export_format *format = cb_export_formats; format->name; format++) {
            rows.better = "lower";
            if (!format->check || format->check(&rows, &err) == CB_OK)
                format->write(fuzz_sink(), &rows);
        }
    cb_export_close(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cJSON *run;
    struct cb_err err;
    if (cb_run_document_read(fuzz_file("run.json", data, size), &run, &err) != CB_OK)
        return 0;
    export_twice(run);
    cJSON_Delete(run);
    return 0;
}
