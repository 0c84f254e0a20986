/* SPDX-License-Identifier: Apache-2.0
 *
 * A minimum spanning forest whose children find the lowest weights, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/mst.cl"
