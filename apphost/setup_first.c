/* SPDX-License-Identifier: Apache-2.0
 *
 * A first setup of a kernel, to be edited.
 */
#include <cjson/cJSON.h>

#include "apphost/setup.h"

/* Most values are sizes of buffers, or of parts: with these, few kernels write beyond one. */
#define FIRST_COUNT  1024
#define FIRST_VALUE  64
#define FIRST_LOCAL  64 /* work-items of a task's workgroup */
#define FIRST_PERIOD 20 /* ms */

static void add_first(cJSON *arguments, const struct cb_merge_parameter *p,
                      const struct cb_element *e, bool is_pointer)
{
    const char *name = p->name;
    if (!is_pointer) {
        cJSON_AddNumberToObject(arguments, name, e->kind == 'f' ? 1 : FIRST_VALUE);
        return;
    }
    cJSON *buffer = cJSON_AddObjectToObject(arguments, name);
    cJSON_AddNumberToObject(buffer, "count", FIRST_COUNT);
    if (cb_element_is_local(p->type))
        return;
    cJSON_AddStringToObject(buffer, "fill", "random");
    cJSON_AddNumberToObject(buffer, "below", e->kind == 'f' ? 1 : 100);
}

enum cb_status cb_setup_write_first(const char *path, const struct cb_merge_kernel *kernel,
                                    FILE *out, struct cb_err *err)
{
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddStringToObject(tree, "schema", "coopbench-setup");
    cJSON_AddStringToObject(tree, "schema_version", "1.0");
    cJSON_AddStringToObject(tree, "kernel", path);
    if (kernel->is_task) {
        cJSON_AddNumberToObject(tree, "global", FIRST_COUNT);
        cJSON_AddNumberToObject(tree, "local", FIRST_LOCAL);
        cJSON_AddNumberToObject(tree, "period_ms", FIRST_PERIOD);
    }
    if (kernel->submits)
        cJSON_AddItemToArray(cJSON_AddArrayToObject(tree, "children"),
                             cJSON_CreateString("TASK.cl"));
    cJSON *arguments = cJSON_AddObjectToObject(tree, "arguments");
    enum cb_status status = arguments ? CB_OK : cb_fail(err, CB_ERROR, "out of memory");
    if (kernel->n_parameters > CB_SETUP_ARGUMENTS)
        status = cb_fail(err, CB_USAGE, "%s: " CB_SETUP_TOO_MANY, path, kernel->n_parameters,
                         CB_SETUP_ARGUMENTS);
    for (int i = 0; i < kernel->n_parameters && status == CB_OK; i++) {
        const struct cb_merge_parameter *p = &kernel->parameters[i];
        struct cb_element element;
        bool is_pointer;
        if (cb_element_read(p->type, &element, &is_pointer) &&
            (kernel->is_task || !cb_element_is_local(p->type)))
            add_first(arguments, p, &element, is_pointer);
        else
            status = cb_fail(err, CB_USAGE, "%s: %s: " CB_SETUP_NOT_KNOWN, path, p->name, p->type);
    }
    char *text = status == CB_OK ? cJSON_Print(tree) : NULL;
    if (status == CB_OK && !text)
        status = cb_fail(err, CB_ERROR, "out of memory");
    if (text)
        fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(tree);
    return status;
}
