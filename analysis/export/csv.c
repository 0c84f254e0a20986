/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV: the rows of summary.csv, of all runs.
 */
#include "measure/text/csv.h"
#include "analysis/export/export.h"

int cb_export_csv(FILE *out, const struct cb_export *e)
{
    cb_csv_runs(out, e->runs, e->n_runs);
    return 1;
}
