/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs, and what the kernels have to come to, by the CPU.
 */
#pragma once
#include "kernels.cuh"

#include <algorithm>
#include <vector>

namespace green
{

struct Graph {
    std::vector<unsigned> rows, ends;
    unsigned source = 0;

    unsigned vertices() const
    {
        return static_cast<unsigned>(rows.size()) - 1;
    }
};

/* Like roads: side x side vertices with edges to their neighbours, both ways, of which one in eight
 * is missing. The search begins in the middle. */
inline Graph grid_graph(unsigned side)
{
    Graph g;
    const auto has = [](unsigned a, unsigned b) { return mix(a * 2654435761u ^ b) % 8 != 0; };
    for (unsigned v = 0; v < side * side; ++v) {
        const unsigned x = v % side, y = v / side;
        g.rows.push_back(static_cast<unsigned>(g.ends.size()));
        if (x > 0 && has(v - 1, v))
            g.ends.push_back(v - 1);
        if (x + 1 < side && has(v, v + 1))
            g.ends.push_back(v + 1);
        if (y > 0 && has(v - side, v))
            g.ends.push_back(v - side);
        if (y + 1 < side && has(v, v + side))
            g.ends.push_back(v + side);
    }
    g.rows.push_back(static_cast<unsigned>(g.ends.size()));
    g.source = side / 2 * side + side / 2;
    return g;
}

inline std::vector<unsigned> reference_levels(const Graph &g)
{
    std::vector<unsigned> levels(g.vertices(), kUnreached), queue = {g.source};
    levels[g.source] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (unsigned e = g.rows[queue[i]]; e < g.rows[queue[i] + 1]; ++e)
            if (levels[g.ends[e]] == kUnreached) {
                levels[g.ends[e]] = levels[queue[i]] + 1;
                queue.push_back(g.ends[e]);
            }
    return levels;
}

inline unsigned reference_digest(const std::vector<unsigned> &levels)
{
    unsigned sum = 0;
    for (unsigned v = 0; v < levels.size(); ++v)
        sum += digest_of(v, levels[v]);
    return sum;
}

/* Of all nodes, by blocks of so many threads. */
inline unsigned reference_tree(unsigned roots, unsigned threads, unsigned *nodes)
{
    std::vector<Node> stack;
    unsigned sum = 0;
    *nodes = 0;
    for (unsigned i = 0; i < roots; ++i)
        stack.push_back(root_of(i));
    while (!stack.empty()) {
        const Node node = stack.back();
        stack.pop_back();
        ++*nodes;
        for (unsigned t = 0; t < threads; ++t)
            sum += work_of(node, t);
        for (unsigned i = 0; i < children_of(node); ++i)
            stack.push_back(child_of(node, i));
    }
    return sum;
}

} // namespace green
