/* SPDX-License-Identifier: Apache-2.0
 *
 * A first setup of a kernel, to be edited.
 */
#include <cjson/cJSON.h>
#include <math.h>

#include "apps/host/setup.h"

/* Most values are sizes of buffers, or of their sides: the product of all is no more than a buffer
 * has, so that few kernels go beyond one. */
#define FIRST_COUNT  1024
#define FIRST_VALUE  64 /* most values */
#define FIRST_LOCAL  64 /* work-items of a task's workgroup */
#define FIRST_PERIOD 20 /* ms */

/* For each of n integers. */
static int first_value(int n)
{
    int value = FIRST_VALUE;
    while (value > 1 && n * log2(value) > log2(FIRST_COUNT))
        value /= 2;
    return value;
}

static void add_first(cJSON *arguments, const struct cb_merge_parameter *p,
                      const struct cb_element *e, bool is_pointer, int value)
{
    const char *name = p->name;
    if (!is_pointer) {
        cJSON_AddNumberToObject(arguments, name, e->kind == 'f' ? 1 : value);
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
        return cb_no_memory(err);
    if (kernel->n_parameters > CB_SETUP_ARGUMENTS)
        return cb_fail(err, CB_USAGE, "%s: " CB_SETUP_TOO_MANY, path, kernel->n_parameters,
                       CB_SETUP_ARGUMENTS);
    struct cb_element element;
    bool is_pointer;
    int integers = 0;
    for (int i = 0; i < kernel->n_parameters; i++)
        integers += cb_element_read(kernel->parameters[i].type, &element, &is_pointer) &&
                    !is_pointer && element.kind != 'f';
    for (int i = 0; i < kernel->n_parameters; i++) {
        const struct cb_merge_parameter *p = &kernel->parameters[i];
        if (!cb_element_read(p->type, &element, &is_pointer) ||
            (!kernel->is_task && cb_element_is_local(p->type)))
            return cb_fail(err, CB_USAGE, "%s: %s: " CB_SETUP_NOT_KNOWN, path, p->name, p->type);
        add_first(arguments, p, &element, is_pointer, first_value(integers));
    }
    return CB_OK;
}
