/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey propagation, as an app.
 */
#include "nested.clh"

#include "benchmarks/launch/aggregation/sp.cl"
