/* SPDX-License-Identifier: Apache-2.0
 *
 * Images and samplers, which cannot lie in memory: a task gets them as arguments of the megakernel.
 */
#include "runtime/merge/write.h"

#include <string.h>

static bool is_image(const struct cb_merge_var *v)
{
    return v->is_parameter && cb_layout_is_opaque(&v->layout);
}

static void check_parameter(struct cb_merge_unit *u, const struct cb_merge_var *v)
{
    if (v->layout.trouble)
        cb_merge_problem(u, v->begin, "the parameter %s: %s", v->name, v->layout.trouble);
    else if (!u->is_task)
        cb_merge_problem(u, v->begin,
                         "the parameter %s: a cooperative kernel has no images and no samplers: "
                         "give a buffer, or read the image in a task",
                         v->name);
}

void cb_merge_check_images(struct cb_merge_unit *u)
{
    for (int v = 0; v < u->n_vars; v++) {
        const struct cb_merge_var *var = &u->vars[v];
        if (is_image(var))
            check_parameter(u, var);
        else if (var->lives && strstr(var->type, "sampler_t"))
            cb_merge_problem(u, var->begin,
                             "the sampler %s lives across a point, and cannot lie in memory: "
                             "declare it beside the kernel, as a constant",
                             var->name);
    }
}

const struct cb_merge_var *cb_merge_images_of(const struct cb_merge_unit *u)
{
    for (int v = 0; v < u->n_vars; v++)
        if (is_image(&u->vars[v]))
            return &u->vars[v];
    return NULL;
}
