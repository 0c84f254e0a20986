/* SPDX-License-Identifier: Apache-2.0
 *
 * How sure a test is that has shown nothing.
 */
#pragma once

/* Units that are drawn independently of each other, and in how many of them the weak outcome
 * showed. Instances of a launch are none: they share what is drawn for it. */
struct cb_litmus_units {
    double all, weak;
};

#define CB_LITMUS_UNLIKELY     0.05 /* what the intervals leave out, at one end */
#define CB_LITMUS_LEAST_CHANCE 1e-9 /* to miss something: those below are as good as none */

/* The least chance of an outcome in a unit that these agree with: the lower end of the one-sided 95
 * % interval of Clopper and Pearson (Biometrika 26, 1934). 0: it was not seen, or nothing is known.
 */
double cb_litmus_least(struct cb_litmus_units seen);

/* The largest chance of an outcome in a unit that n units without it agree with: the upper end of
 * the same one-sided interval. */
double cb_litmus_most(double units);

/* How likely, at most, so many units would all have missed an outcome that has shown in some of the
 * others. NaN: it has not, or that is unknown, so that nothing is known of that. */
double cb_litmus_missed(struct cb_litmus_units seen, double units);
