/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey inspired decimation: what the host has in common with the kernels (sid.cl).
 */
#pragma once
#include "sp_abi.h"

/* All variables are fixed together whose bias is at least this share of the largest: the nearer to
 * 1, the fewer at a time, and the more often surveys have to come to rest. With it the large input
 * needs some tens of decimations. */
#define SID_SHARE 0.95f

/* Biases are trivial if none is larger. At rest a survey may be off by as much as SP_CRITERION, and
 * a bias by what a dozen of them are, the occurrences of a variable. */
#define SID_TRIVIAL 0.1f

/* A run that has not ended after so many laps is left as it is. Those of the large input are a
 * quarter of that. */
#define SID_MOST_LAPS 4000u

/* words, for `all` occurrences, n clauses and V variables: surveys; ratios; laps; clauses that have
 * no literal left; of each clause the literals that are left, not fixed to be false; of each
 * variable what it is fixed to be, and its bias; of each lap its log. */
static inline cb_u32 sid_laps(cb_u32 all)
{
    return 2 * all;
}
static inline cb_u32 sid_contradictions(cb_u32 all)
{
    return 2 * all + 1;
}
static inline cb_u32 sid_left(cb_u32 all)
{
    return 2 * all + 2;
}
static inline cb_u32 sid_fixed(cb_u32 all, cb_u32 n)
{
    return sid_left(all) + n;
}
static inline cb_u32 sid_biases(cb_u32 all, cb_u32 n, cb_u32 variables)
{
    return sid_fixed(all, n) + variables;
}
static inline cb_u32 sid_log(cb_u32 all, cb_u32 n, cb_u32 variables)
{
    return sid_biases(all, n, variables) + variables;
}
static inline cb_u32 sid_words(cb_u32 all, cb_u32 n, cb_u32 variables)
{
    return sid_log(all, n, variables) + SID_MOST_LAPS;
}

/* Log of a lap: it propagates, and surveys are at rest, or change; or it decimates: then it is the
 * largest bias, a float. A lap after one of surveys at rest decimates. */
#define SID_AT_REST 0u
#define SID_CHANGES 1u

/* What a variable is fixed to be, and in which lap; SID_FREE: it is not yet. */
#define SID_FREE                 0u
#define SID_FIXED(lap, is_false) (((lap) + 1) << 1 | (is_false))
#define SID_LAP(fixed)           (((fixed) >> 1) - 1)
#define SID_IS_FALSE(fixed)      ((fixed)&1)
