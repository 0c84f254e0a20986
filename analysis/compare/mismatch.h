/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two rows were measured in the same circumstances, so that a difference can be blamed on
 * what was measured.
 */
#pragma once

#include "analysis/compare/run_table.h"

/* Bits: in what two runs may differ. */
enum {
    CB_MISMATCH_DEVICE = 1, /* another device, or of other size */
    CB_MISMATCH_DRIVER = 2, /* version of driver or platform */
    CB_MISMATCH_HOST = 4,   /* processor, number of its threads, governor; not the host's name */
    CB_MISMATCH_PARAMS = 8, /* a parameter of the case, the contents of an input, the back
                              end of the kernels */
};

#define CB_MISMATCH_CHOICES "device,driver,host,params" /* by bit */

/* The bit of one of these words; 0: none of them. */
unsigned cb_mismatch_bit(const char *word);

/* The part of a run's document that is compared of its devices and its host, to be deleted before
 * the document, to which it refers. */
cJSON *cb_mismatch_circumstances(const cJSON *document);

/* In what the case differs from that of a baseline, beyond what is allowed; why (which ends with
 * null) says the first such thing. What only one of the two tells does not differ. */
unsigned cb_mismatch(const struct cb_run_table *baseline, const struct cb_run_case *before,
                     const struct cb_run_table *run, const struct cb_run_case *now,
                     unsigned allowed, char *why, size_t size);
