/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison as CSV, and as annotations of GitHub Actions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/write.h"
#include "analysis/documents/row_json.h"
#include "measure/text/csv.h"

/* ---- CSV ------------------------------------------------------------------------------------- */

static void print_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.17g", value);
    fputc(',', out);
}

static void print_text(FILE *out, const char *text)
{
    cb_csv_text(out, text);
    fputc(',', out);
}

static void print_line(FILE *out, const struct cb_comparison *row)
{
    const struct cb_evidence *e = &row->evidence;
    char why[512];
    print_text(out, cb_verdict_name(row->verdict));
    print_text(out, row->c->device);
    print_text(out, row->c->bench);
    print_text(out, row->c->id);
    print_text(out, row->m ? row->m->name : NULL);
    print_text(out, row->m ? row->m->unit : NULL);
    print_text(out, row->m ? cb_better_name(row->m->better) : NULL);
    const double numbers[] = {(double)row->base.n, row->base.median,   (double)row->now.n,
                              row->now.median,     e->change.estimate, e->change.low,
                              e->change.high,      e->spread,          row->p,
                              row->evidence.p,     row->threshold};
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        print_number(out, row->compared ? numbers[i] : NAN);
    print_text(out, row->compared ? cb_compare_method_name(row->method) : NULL);
    print_number(out, row->rounds ? (double)row->rounds : NAN);
    print_text(out, cb_doubt_name(row->doubt));
    cb_compare_why(why, sizeof why, row);
    cb_csv_text(out, why);
    fputc('\n', out);
}

void cb_compare_write_csv(FILE *out, const struct cb_compare_report *r)
{
    fputs("verdict,device_id,bench,case_id,metric,unit,better,baseline_n,baseline_median,run_n,"
          "run_median,change,change_low,change_high,spread,p,p_adjusted,threshold,method,"
          "rounds_to_decide,reason,detail\n",
          out);
    for (int i = 0; i < r->comparisons->count; i++)
        print_line(out, r->rows[i]);
}

/* ---- GitHub ---------------------------------------------------------------------------------- */

void cb_compare_escaped(FILE *out, const char *text, bool property)
{
    for (; *text; text++)
        if (*text == '%' || *text == '\r' || *text == '\n' ||
            (property && (*text == ':' || *text == ',')))
            fprintf(out, "%%%02X", (unsigned char)*text);
        else
            fputc(*text, out);
}

static void print_annotation(FILE *out, const struct cb_compare_report *r, const char *level,
                             const struct cb_comparison *row)
{
    char text[1024], change[32], why[512];
    fprintf(out, "::%s file=", level);
    cb_compare_escaped(out, r->comparisons->run->document.file, true);
    fputs(",title=", out);
    snprintf(text, sizeof text, "%s: %s", cb_verdict_name(row->verdict), row->c->id);
    cb_compare_escaped(out, text, true);
    fputs("::", out);
    cb_compare_percent(change, sizeof change, row->evidence.change.estimate);
    cb_compare_why(why, sizeof why, row);
    snprintf(text, sizeof text, "%s%s%s%s%s", row->m ? row->m->name : "",
             row->m && row->compared ? " " : "", row->compared ? change : "",
             *why && row->m ? ": " : "", why);
    cb_compare_escaped(out, *text ? text : cb_verdict_name(row->verdict), false);
    fputc('\n', out);
}

void cb_compare_write_github(FILE *out, const struct cb_compare_report *r)
{
    for (int i = 0; i < r->comparisons->count; i++) {
        enum cb_verdict v = r->rows[i]->verdict;
        if (v == CB_REGRESSION || v == CB_FAILED)
            print_annotation(out, r, "error", r->rows[i]);
        else if (v == CB_INCONCLUSIVE || v == CB_INCOMPARABLE || v == CB_MISSING)
            print_annotation(out, r, "warning", r->rows[i]);
    }
    if (r->gate_off) {
        fputs("::error title=coopbench compare::", out);
        cb_compare_escaped(out, r->gate_off, false);
        fputc('\n', out);
    }
    fputs("::notice title=coopbench compare::", out);
    cb_compare_counts(out, r->comparisons);
    fputc('\n', out);
}
