/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey inspired decimation, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/sid.cl"
