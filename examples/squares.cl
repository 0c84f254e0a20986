/* SPDX-License-Identifier: Apache-2.0
 *
 * A short request: out[i] = (first + i)^2.
 */
kernel void squares(global uint *out, uint first)
{
    const uint i = get_global_id(0);
    out[i] = (first + i) * (first + i);
}
