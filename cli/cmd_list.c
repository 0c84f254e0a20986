/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench list devices | benchmarks | apps | configs
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/row_json.h"
#include "apps/host/app.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/suite/configs.h"
#include "measure/process/others.h"
#include "measure/process/supervisor.h"
#include "runtime/neighbours/others.h"

#define OPTION(name, member) CB_OPTION(struct cb_run_options, name, member)

static const struct cb_param list_params[] = {
    CB_HELP_PARAM,
    {OPTION("json", json), .value_name = "-", .help = "Print JSON to standard output."},
    {OPTION("cpu-workgroups", cpu_workgroups), .min = 1, .max = 1024,
     .help = "Threads of a PoCL CPU device, as when measuring."},
    {0},
};

const struct cb_help cb_help_list = {
    .usage = "list devices|benchmarks|apps|configs [--json -]",
    .text = "devices: every OpenCL device, what it can do of what matters here (atomics, shared\n"
            "virtual memory, device clock), and what others do on it now: on NVIDIA GPUs by NVML,\n"
            "on CPU devices by a look of 0.1 s at the cores. benchmarks: those of this program.\n"
            "apps: what 'apps', 'multitask' and 'selftest' run, with which inputs and variants.\n"
            "configs: the suites that 'coopbench run NAME' finds without a file.",
    .globals = list_params,
    .arguments = "devices,benchmarks,apps,configs",
};

static void print_json(cJSON *document)
{
    char *text = cJSON_Print(document);
    printf("%s\n", text ? text : "null");
    free(text);
    cJSON_Delete(document);
}

static void print_field(void *context, const char *label, const char *value)
{
    (void)context;
    printf("  %-22s %s\n", label, value);
}

static void print_devices_json(const struct cb_devices *devices)
{
    cJSON *document = cJSON_CreateObject(), *others = cb_others_ask(devices);
    cJSON *list = cJSON_AddArrayToObject(document, "devices");
    for (int i = 0; i < devices->count; i++) {
        cJSON *device = cb_device_to_json(&devices->items[i]);
        cJSON_AddItemToObject(device, "others", cJSON_DetachItemFromArray(others, 0));
        cJSON_AddItemToArray(list, device);
    }
    cJSON_Delete(others);
    print_json(document);
}

static void print_devices(const struct cb_devices *devices)
{
    cJSON *others = cb_others_ask(devices);
    for (int i = 0; i < devices->count; i++) {
        char text[1024];
        printf("%s%s  %s\n", i ? "\n" : "", devices->items[i].index, devices->items[i].name);
        cb_device_describe(&devices->items[i], print_field, NULL);
        cb_others_describe(cJSON_GetArrayItem(others, i), text, sizeof text);
        print_field(NULL, "Others now", text);
    }
    cJSON_Delete(others);
}

static int list_devices(const struct cb_run_options *options, bool json, struct cb_err *err)
{
    struct cb_devices devices = {0};
    struct cb_supervisor *supervisor = cb_suite_supervisor(options, err);
    enum cb_status status =
        supervisor ? cb_supervisor_devices(supervisor, &devices, err) : CB_ERROR;
    if (status == CB_OK && devices.count == 0) {
        int selected, n;
        status = cb_device_select(&devices, "", &selected, &n, err); /* says what to install */
    } else if (devices.trouble) {
        fprintf(stderr, "Warning: %s\n", devices.trouble);
    }
    if (json)
        print_devices_json(&devices);
    else if (status == CB_OK)
        print_devices(&devices);
    cb_devices_free(&devices);
    cb_supervisor_free(supervisor);
    return cb_exit_code_of(status);
}

static cJSON *bench_to_json(const struct cb_bench *bench)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "id", bench->id);
    cJSON_AddStringToObject(object, "summary", bench->summary);
    cJSON_AddStringToObject(object, "reproduces", bench->reproduces);
    cJSON *params = cJSON_AddArrayToObject(object, "params");
    for (const struct cb_param *p = bench->params; p->name; p++) {
        cJSON *param = cJSON_CreateObject();
        cJSON_AddStringToObject(param, "name", p->name);
        if (p->default_value)
            cJSON_AddStringToObject(param, "default", p->default_value);
        if (p->choices)
            cJSON_AddStringToObject(param, "choices", p->choices);
        cJSON_AddStringToObject(param, "help", p->help);
        cJSON_AddItemToArray(params, param);
    }
    cJSON *metrics = cJSON_AddArrayToObject(object, "metrics");
    for (const struct cb_metric *m = bench->metrics; m->name; m++) {
        cJSON *metric = cJSON_CreateObject();
        cJSON_AddStringToObject(metric, "name", m->name);
        cJSON_AddStringToObject(metric, "unit", m->unit);
        cJSON_AddStringToObject(metric, "better", cb_better_name(m->better));
        cJSON_AddStringToObject(metric, "help", m->help);
        cJSON_AddItemToArray(metrics, metric);
    }
    return object;
}

static int list_benchmarks(bool json)
{
    if (json) {
        cJSON *document = cJSON_CreateObject();
        cJSON *list = cJSON_AddArrayToObject(document, "benchmarks");
        for (int i = 0; cb_benches[i]; i++)
            cJSON_AddItemToArray(list, bench_to_json(cb_benches[i]));
        print_json(document);
        return 0;
    }
    for (int i = 0; cb_benches[i]; i++)
        printf("%-12s %s\n             reproduces %s\n", cb_benches[i]->id, cb_benches[i]->summary,
               cb_benches[i]->reproduces);
    return 0;
}

static cJSON *app_to_json(const struct cb_app *app)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "id", app->id);
    cJSON_AddStringToObject(object, "summary", app->summary);
    cJSON_AddStringToObject(object, "source", app->source);
    cJSON_AddStringToObject(object, "input", app->inputs_help);
    cJSON_AddBoolToObject(object, "synthetic", app->synthetic);
    cJSON *inputs = cJSON_AddArrayToObject(object, "inputs");
    for (const struct cb_app_input *i = app->inputs; i->name; i++) {
        cJSON *input = cJSON_CreateObject();
        cJSON_AddStringToObject(input, "name", i->name);
        for (int s = 0; s < CB_SCALES; s++)
            cJSON_AddStringToObject(input, cb_app_scales[s], i->spec[s]);
        cJSON_AddBoolToObject(input, "on_request", i->on_request);
        cJSON_AddItemToArray(inputs, input);
    }
    if (app->paper)
        cJSON_AddItemToObject(object, CB_APP_PAPER, app_to_json(app->paper));
    if (app->paper_once)
        cJSON_AddItemToObject(object, CB_APP_PAPER_ONCE, app_to_json(app->paper_once));
    return object;
}

static void print_inputs(const struct cb_app *app)
{
    for (const struct cb_app_input *i = app->inputs; i->name; i++) {
        printf("               %s:", i->name);
        for (int s = 0; s < CB_SCALES; s++)
            printf("%s %s %s", s ? "," : "", cb_app_scales[s], i->spec[s]);
        printf("%s\n", i->on_request ? " (on request)" : "");
    }
}

/* The inputs of its other variants are told if they are not the same. */
static void print_app(const struct cb_app *app)
{
    printf("%-14s %s%s\n               --input: %s\n", app->id, app->summary,
           app->synthetic ? " (not among all)" : "", app->inputs_help);
    print_inputs(app);
    if (!app->paper)
        return;
    printf("               --variant " CB_APP_PAPER ": %s (%s)\n", app->paper->summary,
           app->paper->source);
    if (app->paper_once)
        printf("               --variant " CB_APP_PAPER_ONCE
               ": the same, with one resizing barrier a round\n");
    if (strcmp(app->paper->inputs[0].spec[0], app->inputs[0].spec[0]) != 0)
        print_inputs(app->paper);
}

static int list_apps(bool json)
{
    cJSON *document = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(document, "apps");
    for (int i = 0; cb_apps[i]; i++)
        if (json)
            cJSON_AddItemToArray(list, app_to_json(cb_apps[i]));
        else
            print_app(cb_apps[i]);
    if (json)
        print_json(document); /* deletes it */
    else
        cJSON_Delete(document);
    return 0;
}

static int list_configs(bool json)
{
    cJSON *document = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(document, "configs");
    const char *name;
    for (int i = 0; (name = cb_configs_name(NULL, i)) != NULL; i++) {
        char *description = cb_configs_description(name);
        const char *text = description ? description : "";
        if (json) {
            cJSON *object = cJSON_CreateObject();
            cJSON_AddStringToObject(object, "name", name);
            cJSON_AddStringToObject(object, "description", text);
            cJSON_AddItemToArray(list, object);
        } else {
            printf("%-15s %.*s\n", name, (int)cb_configs_sentence(text), text);
        }
        free(description);
    }
    if (json)
        print_json(document); /* deletes it */
    else
        cJSON_Delete(document);
    return 0;
}

int cb_cmd_list(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    int code = 2;
    if (cb_arguments_parse(argc, argv, list_params, NULL, &arguments, err) != CB_OK) {
        cb_arguments_free(&arguments);
        return cb_exit_code_of(err->status);
    }
    const char *what = arguments.n_positional == 1 ? arguments.positional[0] : "";
    struct cb_run_options options; /* whose rows those of list are */
    cb_options_complete(arguments.globals, cb_global_params);
    cb_options_read(arguments.globals, cb_global_params, &options);
    const char *json = options.json;
    if (arguments.help) {
        cb_print_command_help(&cb_help_list);
        code = 0;
    } else if (json && strcmp(json, "-") != 0) {
        cb_fail(err, CB_USAGE, "list writes JSON to standard output only: --json -");
    } else if (strcmp(what, "devices") == 0) {
        code = list_devices(&options, json != NULL, err);
    } else if (strcmp(what, "benchmarks") == 0) {
        code = list_benchmarks(json != NULL);
    } else if (strcmp(what, "apps") == 0) {
        code = list_apps(json != NULL);
    } else if (strcmp(what, "configs") == 0) {
        code = list_configs(json != NULL);
    } else {
        cb_fail(err, CB_USAGE,
                "list what? 'coopbench list devices', 'coopbench list benchmarks', 'coopbench list "
                "apps' or 'coopbench list configs'");
    }
    cb_arguments_free(&arguments);
    return code;
}
