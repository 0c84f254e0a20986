/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths, as an app.
 */
#include "nested.clh"

#include "benchmarks/launch/aggregation/sssp_nested.cl"
