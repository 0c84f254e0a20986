/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/bfs_nested.cl"
