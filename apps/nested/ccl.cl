/* SPDX-License-Identifier: Apache-2.0
 *
 * Connected components of frames, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/ccl.cl"
