/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey propagation, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/sp.cl"
