/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench fleet FLEET...
 */
#include "analysis/compare/rules.h"
#include "analysis/fleet/write.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output_forms.h"
#include "cli/suite/outputs.h"

#define EXIT_SLOW 5
#define EXIT_OPEN 6

struct fleet_options {
    struct cb_compare_choice_options choice;
    double threshold_percent, alpha;
    const char *format, *json, *markdown;
};

#define OPTION(name, member) CB_OPTION(struct fleet_options, name, member)

static const struct cb_param fleet_params[] = {
    CB_COMPARE_CHOICE_PARAMS(struct fleet_options),
    {OPTION("threshold", threshold_percent), .letter = 't', .default_value = "3", .min = 0.01,
     .max = 1000, .value_name = "PERCENT",
     .help = "Smallest distance from the median of the devices that counts."},
    {OPTION("alpha", alpha), .default_value = "0.01", .min = 1e-9, .max = 0.5,
     .help = "Share of false findings that is accepted, over all cases and devices together."},
    {OPTION("format", format), .default_value = "table", .choices = "table,markdown,json,none",
     .help = "What goes to standard output."},
    CB_OUTPUT_PARAM(struct fleet_options, json, "everything as JSON"),
    CB_MARKDOWN_PARAM(struct fleet_options),
    CB_HELP_PARAM,
    {0},
};

const struct cb_help cb_help_fleet = {
    .usage = "fleet FLEET... [OPTIONS]",
    .text = "Puts devices of one kind side by side: which are slow, how far they differ, and\n"
            "which barrier, mutex or workgroup size loses least over all devices. FLEET is a\n"
            "folder that holds a run folder for each device, and perhaps fleet.json; runs of\n"
            "several devices or hosts will do, too. Nothing is measured.\n\n"
            "  slow           over all its cases, beyond chance (p < --alpha) and --threshold\n"
            "  slow in cases  the same, but of some of its cases only\n"
            "  fast           over all its cases\n"
            "  alike          nothing is shown\n"
            "  untested       fewer than 5 devices of its kind, or half of their cases missing\n\n"
            "A device is held against the others of its kind: its distance from their mean has\n"
            "Student's t, and those that stray are set aside one after the other, so that they\n"
            "do not hide each other. p is corrected for all cases and devices. Of several runs\n"
            "of one device the newest row that is ok counts.\n\n"
            "Exit codes: 0 no device is slow; 5 one is; 6 nothing was tested, or a device of\n"
            "fleet.json is missing or has only a part; 2 wrong usage, or no run with cases.",
    .globals = fleet_params,
    .arguments = "RUN",
};

static void write_table(FILE *out, const void *report)
{
    cb_fleet_write_table(out, report);
}

static void write_markdown(FILE *out, const void *report)
{
    cb_fleet_write_markdown(out, report);
}

static void write_json(FILE *out, const void *report)
{
    cb_fleet_write_json(out, report);
}

static int exit_code(const struct cb_fleet *fleet, int gaps)
{
    if (fleet->of[CB_FLEET_SLOW] || fleet->of[CB_FLEET_SLOW_CASES])
        return EXIT_SLOW;
    return gaps || fleet->tests == 0 ? EXIT_OPEN : 0;
}

static int tell(const struct cb_fleet_runs *runs, const struct fleet_options *o, struct cb_err *err)
{
    struct cb_fleet fleet;
    struct cb_portables portables = {0};
    const struct cb_fleet_rules rules = {
        .alpha = o->alpha, .threshold = o->threshold_percent / 100, .choice = o->choice};
    enum cb_status status = cb_fleet_find(runs->tables, runs->n, &rules, &fleet, err);
    if (status == CB_OK && !cb_portables_find(&fleet.devices, &portables))
        status = cb_no_memory(err);
    int code = status == CB_UNSUPPORTED ? EXIT_OPEN : cb_exit_code_of(status);
    if (status == CB_OK) {
        code = exit_code(&fleet, runs->n_gaps);
        const struct cb_fleet_report report = {&fleet,     &rules,       &portables,
                                               runs->gaps, runs->n_gaps, code};
        const struct cb_output_form forms[] = {{"table", write_table, NULL, NULL},
                                               {"markdown", write_markdown, "a", o->markdown},
                                               {"json", write_json, "w", o->json}};
        status = cb_output_forms_write(forms, CB_COUNTOF(forms), &report, o->format, err);
        code = status == CB_OK ? code : cb_exit_code_of(status);
    }
    cb_portables_free(&portables);
    cb_fleet_free(&fleet);
    return code;
}

int cb_cmd_fleet(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments a;
    struct cb_fleet_runs runs = {0};
    enum cb_status status = cb_arguments_parse(argc, argv, fleet_params, NULL, &a, err);
    int code = cb_exit_code_of(status);
    if (status == CB_OK && a.help) {
        cb_print_command_help(&cb_help_fleet);
    } else if (status == CB_OK) {
        struct fleet_options o;
        cb_options_complete(a.globals, fleet_params);
        cb_options_read(a.globals, fleet_params, &o);
        const struct cb_output outputs[] = {{"json", o.json}, {"markdown", o.markdown}};
        if (a.n_positional == 0)
            status = cb_fail(err, CB_USAGE,
                             "read which fleet? For instance: coopbench fleet results/gpus, a "
                             "folder that holds a run folder for each device");
        if (status == CB_OK)
            status = cb_outputs_check(outputs, CB_COUNTOF(outputs), err);
        if (status == CB_OK)
            status = cb_fleet_load(a.positional, a.n_positional, &runs, err);
        code = status == CB_OK ? tell(&runs, &o, err) : cb_exit_code_of(status);
    }
    cb_fleet_runs_free(&runs);
    cb_arguments_free(&a);
    return code;
}
