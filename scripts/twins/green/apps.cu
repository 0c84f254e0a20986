/* SPDX-License-Identifier: Apache-2.0 */
#include "apps.cuh"
#include "reference.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>

namespace green
{

namespace
{

constexpr unsigned long long kMostNs = 20000000000ull; /* then a launch stops by itself */

__global__ void __launch_bounds__(kBfsThreads) bfs_kernel(Bfs bfs, Launch launch)
{
    __shared__ Local local;
    repeat(bfs, launch, local);
}

__global__ void __launch_bounds__(kTreeThreads) tree_kernel(Tree tree, Launch launch)
{
    __shared__ Local local;
    repeat(tree, launch, local);
}

/* A word that the device writes while this reads it, or the other way round. */
unsigned seen(const unsigned &word)
{
    return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}

template <typename T> T *on_device(std::size_t n, const T *from = nullptr)
{
    T *memory;
    CHECK(cudaMalloc(&memory, n * sizeof(T)));
    if (from)
        CHECK(cudaMemcpy(memory, from, n * sizeof(T), cudaMemcpyHostToDevice));
    else
        CHECK(cudaMemset(memory, 0, n * sizeof(T)));
    return memory;
}

const char *name_of(unsigned failure)
{
    return failure == kLate ? "a wait took too long" : "a deque was full";
}

} // namespace

void check_cuda(cudaError_t error, const char *call, int line)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "green: line %d: %s: %s\n", line, call, cudaGetErrorString(error));
    std::_Exit(kExitCuda);
}

double now_s()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

void sleep_s(double seconds)
{
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

double Outcome::rate(unsigned from, unsigned until) const
{
    std::vector<double> times;
    for (unsigned i = from; i < until && i + 1 < starts_ns.size(); ++i)
        times.push_back(starts_ns[i + 1] - starts_ns[i]);
    if (times.empty())
        return 0;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return 1e9 / *middle;
}

App::App() : control(on_device<Control>(1))
{
    CHECK(cudaHostAlloc(&talk, sizeof *talk, cudaHostAllocMapped));
    std::memset(talk, 0, sizeof *talk);
}

App::~App()
{
    cudaFree(control);
    cudaFreeHost(talk);
}

void App::prepare()
{
    std::memset(talk, 0, sizeof *talk);
    CHECK(cudaMemset(control, 0, sizeof *control));
    CHECK(cudaDeviceSynchronize());
}

void App::start(cudaStream_t stream, unsigned blocks, unsigned most_runs)
{
    where = stream;
    blocks = std::min(blocks, kMostBlocks);
    launch({control, talk, 0, kMostNs}, blocks, stream);
    launch({control, talk, most_runs, kMostNs}, blocks, stream);
}

bool App::has_started() const
{
    return seen(talk->started) != 0;
}

unsigned App::runs() const
{
    return seen(talk->runs);
}

void App::stop()
{
    __atomic_store_n(&talk->stop, 1, __ATOMIC_RELEASE);
}

void App::await_end()
{
    const double end = now_s() + kEndSeconds;
    cudaError_t error;
    while ((error = cudaStreamQuery(where)) == cudaErrorNotReady && now_s() < end)
        std::this_thread::yield();
    if (error == cudaErrorNotReady) {
        std::fprintf(stderr, "green: a kernel did not end within %g s\n", kEndSeconds);
        std::_Exit(kExitHung);
    }
    CHECK(error);
}

Outcome App::outcome()
{
    std::vector<Control> copy(1);
    const Control &c = copy[0];
    Outcome out;
    CHECK(cudaMemcpy(copy.data(), control, sizeof c, cudaMemcpyDeviceToHost));
    out.runs = runs();
    for (unsigned i = 0; i <= out.runs && i < kMostRuns; ++i)
        out.starts_ns.push_back(static_cast<double>(c.starts[i] - c.starts[0]));
    std::set<unsigned> sms(c.sms, c.sms + kMostBlocks);
    sms.erase(0); /* of no block */
    out.sms = static_cast<unsigned>(sms.size());
    if (c.failure != kFine)
        out.wrong = name_of(c.failure);
    for (unsigned i = 0; i < out.runs && out.wrong.empty(); ++i)
        if (c.digests[i] != expected_digest())
            out.wrong = "the digest of run " + std::to_string(i) + " is wrong";
    if (out.wrong.empty() && out.runs > 0)
        out.wrong = check_last();
    return out;
}

/* ---- BFS ------------------------------------------------------------------------------------- */

BfsApp::BfsApp(unsigned side)
{
    const Graph g = grid_graph(side);
    expected = reference_levels(g);
    digest = reference_digest(expected);
    bfs = {on_device(g.rows.size(), g.rows.data()),
           on_device(g.ends.size(), g.ends.data()),
           on_device<unsigned>(g.vertices()),
           on_device<unsigned>(std::size_t{2} * g.vertices()),
           on_device<unsigned>(3),
           g.vertices(),
           g.source};
}

BfsApp::~BfsApp()
{
    for (const unsigned *memory : {bfs.rows, bfs.ends})
        cudaFree(const_cast<unsigned *>(memory));
    for (unsigned *memory : {bfs.levels, bfs.queues, bfs.sizes})
        cudaFree(memory);
}

void BfsApp::launch(const Launch &launch, unsigned blocks, cudaStream_t stream)
{
    bfs_kernel<<<blocks, kBfsThreads, 0, stream>>>(bfs, launch);
    CHECK(cudaGetLastError());
}

unsigned BfsApp::expected_digest() const
{
    return digest;
}

std::string BfsApp::check_last()
{
    std::vector<unsigned> found(expected.size());
    CHECK(cudaMemcpy(found.data(), bfs.levels, found.size() * sizeof(unsigned),
                     cudaMemcpyDeviceToHost));
    const auto wrong = std::mismatch(found.begin(), found.end(), expected.begin());
    return wrong.first == found.end()
               ? ""
               : "vertex " + std::to_string(wrong.first - found.begin()) + " is on level " +
                     std::to_string(*wrong.first) + " instead of " + std::to_string(*wrong.second);
}

/* ---- The tree -------------------------------------------------------------------------------- */

TreeApp::TreeApp(unsigned roots) : digest(reference_tree(roots, kTreeThreads, &nodes))
{
    tree = {on_device<Deque>(kMostBlocks), on_device<unsigned>(1), roots};
}

TreeApp::~TreeApp()
{
    cudaFree(tree.deques);
    cudaFree(tree.pending);
}

void TreeApp::launch(const Launch &launch, unsigned blocks, cudaStream_t stream)
{
    tree_kernel<<<blocks, kTreeThreads, 0, stream>>>(tree, launch);
    CHECK(cudaGetLastError());
}

unsigned TreeApp::expected_digest() const
{
    return digest;
}

std::string TreeApp::check_last()
{
    unsigned pending;
    CHECK(cudaMemcpy(&pending, tree.pending, sizeof pending, cudaMemcpyDeviceToHost));
    return pending == 0 ? "" : std::to_string(pending) + " nodes of the tree were not done";
}

} // namespace green
