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

enum cb_status cb_setup_first(const char *path, const struct cb_merge_kernel *kernel, cJSON *setup,
                              struct cb_err *err)
{
    if (kernel->is_task) {
        cJSON_AddNumberToObject(setup, "global", FIRST_COUNT);
        cJSON_AddNumberToObject(setup, "local", FIRST_LOCAL);
        cJSON_AddNumberToObject(setup, "period_ms", FIRST_PERIOD);
    }
    if (kernel->lacks_tasks)
        cJSON_AddItemToArray(cJSON_AddArrayToObject(setup, "children"),
                             cJSON_CreateString("TASK.cl"));
    cJSON *arguments = cJSON_AddObjectToObject(setup, "arguments");
    if (!arguments)
        return cb_fail(err, CB_ERROR, "out of memory");
    if (kernel->n_parameters > CB_SETUP_ARGUMENTS)
        return cb_fail(err, CB_USAGE, "%s: " CB_SETUP_TOO_MANY, path, kernel->n_parameters,
                       CB_SETUP_ARGUMENTS);
    for (int i = 0; i < kernel->n_parameters; i++) {
        const struct cb_merge_parameter *p = &kernel->parameters[i];
        struct cb_element element;
        bool is_pointer;
        if (!cb_element_read(p->type, &element, &is_pointer) ||
            (!kernel->is_task && cb_element_is_local(p->type)))
            return cb_fail(err, CB_USAGE, "%s: %s: " CB_SETUP_NOT_KNOWN, path, p->name, p->type);
        add_first(arguments, p, &element, is_pointer);
    }
    return CB_OK;
}
