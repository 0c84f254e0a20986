/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/findings.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/documents/rows.h"
#include "measure/text/json.h"
#include "measure/text/units.h"

static double median_of(const cJSON *row, const char *metric)
{
    return cb_json_metric(row, metric, "median");
}

/* What is known of the longest kernel that a scene does not show. */
enum outcome {
    GIVEN,   /* period and duration, or t: nothing was searched */
    KNOWN,   /* t */
    REFUTED, /* the search found one that more frames show */
    ALL_SEEN /* there is none */
};

static enum outcome outcome_of(const cJSON *row)
{
    double t = median_of(row, "t"), p_value = median_of(row, "p_value");
    if (cb_row_number(row, "t") > 0 || isnan(p_value))
        return GIVEN;
    if (isnan(t))
        return ALL_SEEN;
    return p_value <= cb_row_number(row, "level") ? REFUTED : KNOWN;
}

/* "`light`, `heavy`", with t where it is known: "42.7 ms (`light`), at least 100 ms (`heavy`)". */
static int list_scenes(const struct cb_findings *f, enum outcome outcome, FILE *out)
{
    int n = 0;
    for (const cJSON *row = cb_findings_next(f, NULL); row; row = cb_findings_next(f, row)) {
        const char *scene = cb_row_text(row, "scene");
        char t[32];
        if (outcome_of(row) != outcome)
            continue;
        cb_format_time(t, sizeof t, median_of(row, "t"));
        bool longest = median_of(row, "t") >= cb_row_number(row, "t-max") * 1e6;
        fputs(n++ ? ", " : "", out);
        if (outcome == KNOWN)
            fprintf(out, "%s%s (`%.40s`)", longest ? "at least " : "", t, scene);
        else
            fprintf(out, "`%.40s`", scene);
    }
    return n;
}

/* One sentence for all scenes with this outcome, if there are any. */
static void find_scenes(struct cb_findings *f, enum outcome outcome, const char *before,
                        const char *after)
{
    char *scenes = NULL;
    size_t size;
    FILE *out = open_memstream(&scenes, &size);
    int n = out ? list_scenes(f, outcome, out) : 0;
    if (out)
        fclose(out);
    if (n > 0)
        cb_finding_add(f, "scene", "%s %s%s", before, scenes, after);
    free(scenes);
}

void cb_graphics_findings(struct cb_findings *f)
{
    char command[CB_COMMAND_BYTES];
    bool refuted = false;
    for (const cJSON *row = cb_findings_next(f, NULL); row; row = cb_findings_next(f, row))
        refuted = refuted || outcome_of(row) == REFUTED;
    find_scenes(f, KNOWN, "Frames do not show kernels of up to",
                ": keep kernels no longer than that while such a scene is drawn.");
    find_scenes(f, ALL_SEEN, "Frames show even the shortest kernels that were tried:",
                ". No kernel is short enough there.");
    find_scenes(f, REFUTED, "There is no answer for",
                ": a longer check saw kernels that the search had not. The machine was busy, or "
                "the search too short.");
    if (refuted)
        cb_finding_add(f, "next", "`%s` looks longer; let nothing else run beside it.",
                       cb_findings_command(f, "graphics --full", command));
    else
        cb_finding_add(f, "next",
                       "`%s` runs apps beside such a display; FILE is a scene's .json in this "
                       "run's folder.",
                       cb_findings_command(f, "multitask --workload FILE", command));
}
