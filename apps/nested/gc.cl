/* SPDX-License-Identifier: Apache-2.0
 *
 * A colouring of a graph, as an app.
 */
#include "nested.clh"

#include "benchmarks/launch/aggregation/gc.cl"
