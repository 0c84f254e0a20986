/* SPDX-License-Identifier: Apache-2.0
 *
 * sid: survey inspired decimation. Where surveys have come to rest, a lap decimates: its first
 * phase has the bias of each variable, and the second one fixes those whose bias is near the
 * largest to what they are biased to. Then surveys propagate on what is left, and so on until all
 * variables are fixed, a clause has no literal left, or no variable is biased: then the rest is
 * easy, for a local search (WalkSAT), which is not here.
 *
 * A fixed variable has no child any more. The ratios of its occurrences are 0 where it satisfies
 * the clause, so that this warns nobody, and else 1, as if the clause did not have it.
 */
#include "sid_abi.h"
#include "sp.clh"

static inline volatile global uint *sid_word(const nest_input in, uint at)
{
    return &in.words[at];
}

static inline volatile global uint *sid_fixed_of(const nest_input in, uint variable)
{
    return sid_word(in, sid_fixed(sp_all(in), in.n) + variable);
}

static inline volatile global uint *sid_bias_of(const nest_input in, uint variable)
{
    return sid_word(in, sid_biases(sp_all(in), in.n, in.parents) + variable);
}

static inline volatile global uint *sid_log_of(const nest_input in, uint lap)
{
    return sid_word(in, sid_log(sp_all(in), in.n, in.parents) + lap);
}

static inline bool sid_decimates(const nest_input in)
{
    return in.lap > 0 && *sid_log_of(in, in.lap - 1) == SID_AT_REST;
}

static inline void sid_ask_for_a_lap(const nest_input in)
{
    if (in.lap + 1 < SID_MOST_LAPS)
        *in.flag = 1;
}

/* How much more probable it is that its clauses force the variable to be true than to be false. If
 * they force it to be both, it is fixed nevertheless: then one of them has no literal left. */
static inline void sid_find_bias(const nest_input in, uint variable)
{
    const sp_weights weights = sp_weigh(in, variable, 0, SP_NONE);
    const float bias =
        weights.all < SP_LEAST ? 1.0f : (weights.satisfied - weights.unsatisfied) / weights.all;
    *sid_bias_of(in, variable) = as_uint(bias);
    atomic_max(sid_log_of(in, in.lap), as_uint(fabs(bias)));
}

/* Fixes the variable, if its bias is near the largest. */
static inline bool sid_fix(const nest_input in, uint variable)
{
    const float largest = as_float(*sid_log_of(in, in.lap)),
                bias = as_float(*sid_bias_of(in, variable));
    if (largest < SID_TRIVIAL || fabs(bias) < SID_SHARE * largest)
        return false;
    *sid_fixed_of(in, variable) = SID_FIXED(in.lap, bias < 0.0f ? 1u : 0u);
    sid_ask_for_a_lap(in);
    return true;
}

/* A clause that is satisfied warns nobody any more, and needs nobody. */
static inline void sid_satisfy(const nest_input in, uint clause)
{
    const uint all = sp_all(in);
    for (uint i = in.others[all + clause]; i < in.others[all + clause + 1]; i++)
        in.words[sp_of_clause(in, i)] = as_uint(0.0f);
}

/* What a clause has of a variable that has just been fixed. */
static inline void sid_settle(const nest_input in, uint variable, uint occurrence)
{
    const uint all = sp_all(in), clause = SP_CLAUSE(in.others[occurrence]);
    const bool is_true =
        SP_NEGATED(in.others[occurrence]) == SID_IS_FALSE(*sid_fixed_of(in, variable));
    in.words[occurrence] = as_uint(0.0f);
    in.words[all + occurrence] = as_uint(is_true ? 0.0f : 1.0f);
    if (is_true)
        sid_satisfy(in, clause);
    else if (atomic_sub(sid_word(in, sid_left(all) + clause), 1u) == 1)
        atomic_add(sid_word(in, sid_contradictions(all)), 1u);
}

static inline uint nest_parent(const nest_input in, uint parent)
{
    const uint occurrences = in.begins[parent + 1] - in.begins[parent];
    if (in.phase == 1 && parent == 0)
        *sid_word(in, sid_laps(sp_all(in))) = in.lap + 1;
    if (*sid_fixed_of(in, parent) != SID_FREE)
        return 0;
    if (!sid_decimates(in)) {
        if (in.phase == 1 && *sid_word(in, sid_contradictions(sp_all(in))) == 0)
            sid_ask_for_a_lap(in);
        return occurrences;
    }
    if (in.phase == 0)
        sid_find_bias(in, parent);
    return in.phase == 1 && sid_fix(in, parent) ? occurrences : 0;
}

static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    const uint occurrence = in.begins[parent] + item;
    (void)items;
    if (in.phase == 0)
        in.words[sp_all(in) + occurrence] = as_uint(sp_ratio(in, parent, occurrence));
    else if (sid_decimates(in))
        sid_settle(in, parent, occurrence);
    else if (sp_survey(in, occurrence))
        *sid_log_of(in, in.lap) = SID_CHANGES;
}

#include "nest_run.clh"
