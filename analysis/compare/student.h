/* SPDX-License-Identifier: Apache-2.0
 *
 * Student's t distribution.
 */
#pragma once

/* The value that Student's t with so many degrees of freedom (at least 1) exceeds, to either side
 * together, with probability p: 12.7 for 1 and 0.05. */
double cb_student_t(int freedom, double p);

/* The other way round: the probability of a value beyond t > 0, to either side together. */
double cb_student_p(int freedom, double t);
