/* SPDX-License-Identifier: Apache-2.0
 *
 * A colouring of a graph, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/gc.cl"
