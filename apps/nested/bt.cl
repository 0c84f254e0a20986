/* SPDX-License-Identifier: Apache-2.0
 *
 * Bezier lines, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/bt.cl"
