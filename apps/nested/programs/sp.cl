/* SPDX-License-Identifier: Apache-2.0
 *
 * sp: survey propagation on clauses (KLAP'16 Table I; Braunstein, Mezard, Zecchina: Survey
 * propagation, an algorithm for satisfiability, 2005). A variable is a parent, whose child has a
 * work-item for each of its occurrences in clauses. Phase 0: the ratio of each occurrence; phase 1,
 * without launches: its survey. All ratios are of the surveys of the lap before, so that no result
 * depends on the order.
 *
 * n: clauses. begins: of each variable's occurrences, by number. others: of each occurrence, its
 * clause and sign; where each clause begins; its occurrences. words: surveys; ratios; laps.
 */
#include "nest.clh"
#include "sp_abi.h"

static inline uint sp_all(const nest_input in)
{
    return in.begins[in.parents];
}

/* The number of an occurrence of a clause. */
static inline uint sp_of_clause(const nest_input in, uint i)
{
    return in.others[sp_all(in) + in.n + 1 + i];
}

/* How probable it is that the variable's other clauses force it to be what this one does not
 * need. silent: no clause of the same sign, or of the opposite one, warns the variable. */
static inline float sp_ratio(const nest_input in, uint parent, uint occurrence)
{
    float same_silent = 1.0f, opposite_silent = 1.0f;
    for (uint o = in.begins[parent]; o < in.begins[parent + 1]; o++) {
        const float silent = 1.0f - as_float(in.words[o]);
        if (o == occurrence)
            continue;
        if (SP_NEGATED(in.others[o] ^ in.others[occurrence]))
            opposite_silent *= silent;
        else
            same_silent *= silent;
    }
    const float unsatisfied = (1.0f - opposite_silent) * same_silent,
                satisfied = (1.0f - same_silent) * opposite_silent,
                either = same_silent * opposite_silent, all = unsatisfied + satisfied + either;
    return all < SP_LEAST ? 0.0f : unsatisfied / all;
}

/* How probable it is that the clause needs the variable: nobody else satisfies it. */
static inline void sp_survey(const nest_input in, uint occurrence)
{
    const uint clause = SP_CLAUSE(in.others[occurrence]), all = sp_all(in);
    float survey = 1.0f;
    for (uint i = in.others[all + clause]; i < in.others[all + clause + 1]; i++)
        if (sp_of_clause(in, i) != occurrence)
            survey *= as_float(in.words[all + sp_of_clause(in, i)]);
    const float change = survey - as_float(in.words[occurrence]);
    in.words[occurrence] = as_uint(survey);
    if ((change > SP_CRITERION || change < -SP_CRITERION) && in.lap + 1 < SP_MOST_LAPS)
        *in.flag = 1;
}

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
    else
        sp_survey(in, occurrence);
}

#include "nest_run.clh"
