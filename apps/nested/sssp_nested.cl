/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/sssp_nested.cl"
