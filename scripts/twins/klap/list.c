/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the programs of `coopbench launch` for build.sh, and the defines that each twin needs, one
 * program a line: nest or chain, id, defines.
 */
#include <stdio.h>

#include "apps/nested/programs/programs.h"
#include "probes/launch/promotion/programs.h"

#define DEFINES "'-DTWIN_PROGRAM=\"%s\"' '-DTWIN_TEXT=\"%s\"'"

int main(void)
{
    for (const struct cb_nest_program *const *p = cb_nest_programs; *p; p++)
        printf("nest %s " DEFINES " -DTWIN_PARENT=%uu -DTWIN_CHILD=%uu\n", (*p)->id, (*p)->id,
               (*p)->kernel, (*p)->parent_size, (*p)->child_size);
    for (const struct cb_chain_program *p = cb_chain_programs; p->id; p++)
        printf("chain %s " DEFINES " -DCHAIN_WG=%uu -DCHAIN_EACH=%uu\n", p->id, p->id, p->kernel,
               p->wg_size, p->each);
    return 0;
}
