/* SPDX-License-Identifier: Apache-2.0
 *
 * The algorithms of the GAP Benchmark Suite's bfs and sssp (Beamer, Asanovic, Patterson: The GAP Benchmark Suite,
 * 2015), written anew in OpenMP, on the graphs of coopbench: what two CPU cores do without OpenCL. README.md beside
 * this file says how to use it.
 *
 * bfs turns to the other side of the frontier and back (direction-optimising: alpha 15, beta 18; alpha 0: never
 * turns). sssp is delta stepping with a thread's own buckets, of which small ones are done at once (bucket fusion).
 * Each result of the last run is checked. Exit status: 0 fine, 1 a wrong result, 64 usage.
 */
#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <vector>

extern "C" {
#include "apps/bfs/reference.h"
#include "apps/graphs/dijkstra.h"
#include "apps/graphs/graph.h"
}

namespace {

constexpr int kBeta = 18, kWarmUp = 3;
constexpr std::size_t kBuffer = 16384, kFused = 1000, kNoBucket = SIZE_MAX / 2;
constexpr int kFar = INT_MAX / 2;

cb_graph graph;
std::uint32_t source;

int degree(std::uint32_t v) { return static_cast<int>(graph.rows[v + 1] - graph.rows[v]); }

/* ---- bfs ---- */

/* The frontier is queue[begin] to queue[end - 1]; threads append behind it. */
struct Queue {
    std::vector<int> vertices;
    std::size_t begin, end, appended;

    void flush(std::vector<int> &buffer)
    {
        std::size_t at = __atomic_fetch_add(&appended, buffer.size(), __ATOMIC_RELAXED);
        std::copy(buffer.begin(), buffer.end(), vertices.begin() + static_cast<std::ptrdiff_t>(at));
        buffer.clear();
    }
    void push(std::vector<int> &buffer, int v)
    {
        if (buffer.size() == kBuffer)
            flush(buffer);
        buffer.push_back(v);
    }
    void advance() { begin = end, end = appended; }
};

struct Bits {
    std::vector<std::uint64_t> words;
    bool get(std::uint32_t i) const { return words[i / 64] >> i % 64 & 1; }
    void set(std::uint32_t i) { __atomic_fetch_or(&words[i / 64], 1ull << i % 64, __ATOMIC_RELAXED); }
    void clear() { std::fill(words.begin(), words.end(), 0); }
};

std::vector<int> parents; /* or minus the degree, of a vertex not reached yet */
Queue queue;
Bits front, next_front;

/* Edges of the vertices that were found. */
std::int64_t step_down()
{
    std::int64_t edges = 0;
#pragma omp parallel reduction(+ : edges)
    {
        std::vector<int> buffer;
        buffer.reserve(kBuffer);
#pragma omp for nowait
        for (std::size_t q = queue.begin; q < queue.end; q++)
            for (std::uint32_t u = static_cast<std::uint32_t>(queue.vertices[q]), e = graph.rows[u];
                 e < graph.rows[u + 1]; e++) {
                std::uint32_t v = graph.columns[e];
                int seen = parents[v];
                if (seen < 0 && __sync_bool_compare_and_swap(&parents[v], seen, static_cast<int>(u))) {
                    queue.push(buffer, static_cast<int>(v));
                    edges -= seen;
                }
            }
        queue.flush(buffer);
    }
    return edges;
}

/* Vertices that were found. */
std::int64_t step_up()
{
    std::int64_t found = 0;
    next_front.clear();
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 1024)
    for (std::uint32_t u = 0; u < graph.vertices; u++)
        for (std::uint32_t e = graph.rows[u]; parents[u] < 0 && e < graph.rows[u + 1]; e++)
            if (front.get(graph.columns[e])) {
                parents[u] = static_cast<int>(graph.columns[e]);
                next_front.words[u / 64] |= 1ull << u % 64; /* 1024 is a multiple of 64 */
                found++;
            }
    std::swap(front.words, next_front.words);
    return found;
}

void search_up()
{
    front.clear();
#pragma omp parallel for
    for (std::size_t q = queue.begin; q < queue.end; q++)
        front.set(static_cast<std::uint32_t>(queue.vertices[q]));
    std::int64_t found = static_cast<std::int64_t>(queue.end - queue.begin), before;
    do {
        before = found;
        found = step_up();
    } while (found >= before || found > graph.vertices / kBeta);
#pragma omp parallel
    {
        std::vector<int> buffer;
        buffer.reserve(kBuffer);
#pragma omp for nowait
        for (std::uint32_t u = 0; u < graph.vertices; u++)
            if (front.get(u))
                queue.push(buffer, static_cast<int>(u));
        queue.flush(buffer);
    }
    queue.advance();
}

void bfs(int alpha)
{
#pragma omp parallel for
    for (std::uint32_t v = 0; v < graph.vertices; v++)
        parents[v] = degree(v) > 0 ? -degree(v) : -1;
    parents[source] = static_cast<int>(source);
    queue.vertices[0] = static_cast<int>(source);
    queue.begin = 0, queue.end = queue.appended = 1;
    std::int64_t unexplored = static_cast<std::int64_t>(graph.edges), edges = degree(source);
    while (queue.begin != queue.end)
        if (alpha && edges > unexplored / alpha) {
            search_up();
            edges = 1;
        } else {
            unexplored -= edges;
            edges = step_down();
            queue.advance();
        }
}

/* The level of each vertex is one more than its parent's, and it is reached if it can be. */
bool bfs_is_right()
{
    std::vector<std::uint32_t> levels(graph.vertices);
    if (!cb_bfs_reference(&graph, source, levels.data()))
        return false;
    for (std::uint32_t v = 0; v < graph.vertices; v++)
        if (v != source && (parents[v] < 0 ? levels[v] != UINT32_MAX : levels[v] != levels[parents[v]] + 1))
            return false;
    return true;
}

/* ---- sssp ---- */

std::vector<int> distances, frontier;
using Buckets = std::vector<std::vector<int>>;

void relax(std::uint32_t u, int delta, Buckets &buckets)
{
    for (std::uint32_t e = graph.rows[u]; e < graph.rows[u + 1]; e++) {
        std::uint32_t v = graph.columns[e];
        int now = distances[v], offer = distances[u] + static_cast<int>(graph.weights[e]);
        for (; offer < now; now = distances[v])
            if (__sync_bool_compare_and_swap(&distances[v], now, offer)) {
                std::size_t bucket = static_cast<std::size_t>(offer / delta);
                if (bucket >= buckets.size())
                    buckets.resize(bucket + 1);
                buckets[bucket].push_back(static_cast<int>(v));
                break;
            }
    }
}

void sssp(int delta)
{
#pragma omp parallel for
    for (std::uint32_t v = 0; v < graph.vertices; v++)
        distances[v] = kFar;
    distances[source] = 0;
    frontier[0] = static_cast<int>(source);
    std::size_t bucket_of[2] = {0, kNoBucket}, tail_of[2] = {1, 0};
#pragma omp parallel
    {
        Buckets buckets;
        for (unsigned turn = 0; bucket_of[turn % 2] != kNoBucket; turn++) {
            std::size_t &bucket = bucket_of[turn % 2], &next = bucket_of[(turn + 1) % 2];
            std::size_t &tail = tail_of[turn % 2], &next_tail = tail_of[(turn + 1) % 2];
#pragma omp for nowait schedule(dynamic, 64)
            for (std::size_t i = 0; i < tail; i++)
                if (distances[frontier[i]] >= delta * static_cast<int>(bucket))
                    relax(static_cast<std::uint32_t>(frontier[i]), delta, buckets);
            while (bucket < buckets.size() && !buckets[bucket].empty() && buckets[bucket].size() < kFused) {
                std::vector<int> mine;
                std::swap(mine, buckets[bucket]);
                for (int u : mine)
                    relax(static_cast<std::uint32_t>(u), delta, buckets);
            }
            for (std::size_t b = bucket; b < buckets.size(); b++)
                if (!buckets[b].empty()) {
#pragma omp critical
                    next = std::min(next, b);
                    break;
                }
#pragma omp barrier
#pragma omp single nowait
            {
                bucket = kNoBucket;
                tail = 0;
            }
            if (next < buckets.size()) {
                std::vector<int> &mine = buckets[next];
                std::size_t at = __atomic_fetch_add(&next_tail, mine.size(), __ATOMIC_RELAXED);
                std::copy(mine.begin(), mine.end(), frontier.begin() + static_cast<std::ptrdiff_t>(at));
                mine.clear();
            }
#pragma omp barrier
        }
    }
}

bool sssp_is_right()
{
    std::vector<std::uint64_t> right(graph.vertices);
    if (!cb_dijkstra(&graph, source, right.data()))
        return false;
    for (std::uint32_t v = 0; v < graph.vertices; v++)
        if (distances[v] == kFar ? right[v] != CB_DIJKSTRA_UNREACHED
                                 : right[v] != static_cast<std::uint64_t>(distances[v]))
            return false;
    return true;
}

/* ---- measuring ---- */

double now_ms()
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

int main(int argc, char **argv)
{
    cb_err err{};
    bool is_bfs = argc > 1 && std::strcmp(argv[1], "bfs") == 0, is_sssp = argc > 1 && std::strcmp(argv[1], "sssp") == 0;
    int runs = argc > 3 ? std::atoi(argv[3]) : 40, parameter = argc > 4 ? std::atoi(argv[4]) : is_bfs ? 15 : 1;
    if (argc < 3 || argc > 5 || is_bfs == is_sssp || runs < 1 || parameter < (is_bfs ? 0 : 1)) {
        std::fprintf(stderr, "usage: gap_twin bfs|sssp INPUT [RUNS] [ALPHA|DELTA]\n");
        return 64;
    }
    if (cb_graph_load(argv[2], &graph, &err) != CB_OK) {
        std::fprintf(stderr, "gap_twin: %s\n", err.text);
        return 64;
    }
    source = cb_graph_busiest(&graph);
    parents.resize(graph.vertices), queue.vertices.resize(graph.vertices);
    front.words.resize(graph.vertices / 64 + 1), next_front.words.resize(graph.vertices / 64 + 1);
    distances.resize(graph.vertices), frontier.resize(graph.edges + 1);
    std::vector<double> times;
    for (int i = -kWarmUp; i < runs; i++) {
        double begin = now_ms();
        is_bfs ? bfs(parameter) : sssp(parameter);
        if (i >= 0)
            times.push_back(now_ms() - begin);
    }
    std::sort(times.begin(), times.end());
    bool right = is_bfs ? bfs_is_right() : sssp_is_right();
    std::printf("%s %s, %s %d, %d threads: %.2f ms (median of %d; %.2f to %.2f)%s\n", argv[1], argv[2],
                is_bfs ? "alpha" : "delta", parameter, omp_get_max_threads(), times[times.size() / 2], runs,
                times.front(), times.back(), right ? "" : ": WRONG");
    cb_graph_free(&graph);
    return right ? 0 : 1;
}
