/* SPDX-License-Identifier: Apache-2.0
 *
 * sp: survey propagation (KLAP'16 Table I) until surveys come to rest.
 */
#include "sp.clh"

static inline uint nest_parent(const nest_input in, uint parent)
{
    if (in.phase == 1 && parent == 0)
        in.words[2 * sp_all(in)] = in.lap + 1;
    return in.begins[parent + 1] - in.begins[parent];
}

static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    const uint occurrence = in.begins[parent] + item;
    (void)items;
    if (in.phase == 0)
        in.words[sp_all(in) + occurrence] = as_uint(sp_ratio(in, parent, occurrence));
    else if (sp_survey(in, occurrence) && in.lap + 1 < SP_MOST_LAPS)
        *in.flag = 1;
}

#include "nest_run.clh"
