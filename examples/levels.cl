/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search, level by level: edges of v are targets[rows[v]] to targets[rows[v + 1] -
 * 1]. level: 0 for the first vertex, else UINT_MAX. found: three words, 0.
 */
kernel void levels(const global uint *restrict rows, const global uint *restrict targets,
                   global uint *level, global uint *found, uint n)
{
    for (transmit uint now = 0; now == 0 || found[now % 3]; now++) {
        if (get_global_id(0) == 0)
            found[(now + 2) % 3] = 0;
        for (uint v = get_global_id(0); v < n; v += get_global_size(0)) {
            for (uint e = rows[v]; level[v] == now && e < rows[v + 1]; e++) {
                if (level[targets[e]] > now + 1) {
                    level[targets[e]] = now + 1;
                    found[(now + 1) % 3] = 1;
                }
            }
        }
        resizing_global_barrier();
    }
}
