/* SPDX-License-Identifier: Apache-2.0
 *
 * A quadtree, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/qt.cl"
