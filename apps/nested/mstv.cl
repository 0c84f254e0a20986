/* SPDX-License-Identifier: Apache-2.0
 *
 * A minimum spanning forest whose children verify edges, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/mst.cl"
