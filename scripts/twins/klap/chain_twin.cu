/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of `coopbench launch` that launches itself, in CUDA: the same text, inputs and checks.
 * build.sh chooses the program, README.md in the folder above describes the launchers.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "twin.h"

#include "text_begin.h"
#include TWIN_TEXT
#include "text_end.h"

#include "chain_kernels.cuh"

extern "C" {
#include "probes/launch/promotion/programs.h"
}

namespace
{

using twin::Case;
using twin::Sample;

constexpr long long kGateCycles = 60000;

/* All that a size of the program has on host and device. */
class Recursion
{
  public:
    Recursion(const cb_chain_program *the_program, unsigned the_size);
    ~Recursion();
    Recursion(const Recursion &) = delete;
    Recursion &operator=(const Recursion &) = delete;

    const cb_chain_program *program;
    Case what;
    cb_chain_size size;
    std::vector<unsigned> input, links_begin, expected_data, expected_out;
    cb_chain_arrays expected{};
    twin::Words data, out, links;
    Chain chain{};
    Control *control = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t first = nullptr, last = nullptr;
    cudaGraphExec_t graph = nullptr;
};

struct Launcher {
    const char *id;
    void (*launch)(Recursion &, unsigned from); /* step */
};

std::vector<unsigned> filled(const cb_chain_program *program, const cb_chain_size &size)
{
    std::vector<unsigned> data(cb_chain_room(&size));
    program->fill(&size, data.data());
    return data;
}

/* The first step's flags are set. */
std::vector<unsigned> linked(unsigned steps)
{
    std::vector<unsigned> links(CHAIN_LINE * (steps + std::size_t{2}));
    links[CHAIN_LINE + CHAIN_CONDITION] = links[CHAIN_LINE + CHAIN_DATA] = CHAIN_GO;
    return links;
}

Recursion::Recursion(const cb_chain_program *the_program, unsigned the_size)
    : program(the_program), what{the_program->id, "", the_size, 1},
      size(the_program->sizes[the_size]), input(filled(program, size)),
      links_begin(linked(cb_chain_steps(program, &size, CHAIN_EACH))), expected_data(input.size()),
      expected_out(input.size()), data(input.data(), input.size()), out(nullptr, input.size()),
      links(links_begin.data(), links_begin.size())
{
    expected.data = expected_data.data();
    expected.out = expected_out.data();
    program->reference(&size, input.data(), &expected);
    CHECK(cudaMalloc(&control, sizeof *control));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&last));
    chain.in = {data.device,  out.device, size.n,
                size.columns, size.pad,   cb_chain_steps(program, &size, CHAIN_EACH)};
    chain.links = links.device;
    chain.control = control;
}

Recursion::~Recursion()
{
    if (graph)
        CHECK(cudaGraphExecDestroy(graph));
    CHECK(cudaEventDestroy(last));
    CHECK(cudaEventDestroy(first));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(control));
}

/* ---- Launchers ------------------------------------------------------------------------------- */

void launch_host(Recursion &r, unsigned from)
{
    for (unsigned step = from; step < r.chain.in.steps; ++step)
        chain_one<<<1, CHAIN_WG, 0, r.stream>>>(r.chain, step);
}

void launch_graph(Recursion &r, unsigned)
{
    CHECK(cudaGraphLaunch(r.graph, r.stream));
}

/* Not timed. */
void make_graph(Recursion &r)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(r.stream, cudaStreamCaptureModeGlobal));
    launch_host(r, 0);
    CHECK(cudaStreamEndCapture(r.stream, &graph));
    CHECK(cudaGraphInstantiate(&r.graph, graph, 0));
    CHECK(cudaGraphUpload(r.graph, r.stream));
    CHECK(cudaGraphDestroy(graph));
}

void launch_loop(Recursion &r, unsigned)
{
    chain_loop<<<1, CHAIN_WG, 0, r.stream>>>(r.chain);
}

template <bool kOverlap> void launch_pool(Recursion &r, unsigned)
{
    chain_pool<kOverlap><<<r.chain.in.steps, CHAIN_WG, 0, r.stream>>>(r.chain);
}

void launch_tail(Recursion &r, unsigned from)
{
    chain_tail<<<1, CHAIN_WG, 0, r.stream>>>(r.chain, from);
}

template <bool kOverlap> void launch_nested(Recursion &r, unsigned from)
{
    chain_nested<kOverlap><<<1, CHAIN_WG, 0, r.stream>>>(r.chain, from);
}

const Launcher kLaunchers[] = {
    {"host", launch_host},       {"graph", launch_graph},     {"tail", launch_tail},
    {"P", launch_nested<false>}, {"PO", launch_nested<true>}, {"loop", launch_loop},
    {"PA", launch_pool<false>},  {"PAO", launch_pool<true>},
};

/* ---- A run ----------------------------------------------------------------------------------- */

/* Of a padded matrix, the padding is nobody's. */
std::string compare(const Recursion &r, const char *array, const unsigned *found,
                    const unsigned *expected, std::size_t n)
{
    const std::size_t row = r.size.columns + r.size.pad;
    if (n == 0 || std::memcmp(found, expected, n * sizeof *found) == 0)
        return "";
    for (std::size_t i = 0; i < n; ++i)
        if (found[i] != expected[i] && !(n > r.size.n && i % row >= r.size.columns))
            return std::string(array) + ": element " + std::to_string(i) + " is " +
                   std::to_string(found[i]) + " instead of " + std::to_string(expected[i]);
    return "";
}

std::string check(Recursion &r)
{
    const std::string wrong =
        compare(r, "data", r.data.read(r.expected.n_data), r.expected.data, r.expected.n_data);
    return wrong.empty()
               ? compare(r, "out", r.out.read(r.expected.n_out), r.expected.out, r.expected.n_out)
               : wrong;
}

void reset(Recursion &r)
{
    r.data.reset(r.stream);
    r.out.reset(r.stream);
    r.links.reset(r.stream);
    CHECK(cudaMemsetAsync(r.control, 0, sizeof *r.control, r.stream));
    twin::wait_or_exit(r.stream, r.what);
}

/* Where a launch from the device failed, the host goes on. Returns how often. */
unsigned run_steps(Recursion &r, const Launcher &launcher, Control &control)
{
    unsigned restarts = 0;
    for (unsigned from = 0;; from = control.stopped, ++restarts) {
        launcher.launch(r, from);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(r.last, r.stream));
        twin::wait_or_exit(r.stream, r.what);
        CHECK(cudaMemcpy(&control, r.control, sizeof control, cudaMemcpyDeviceToHost));
        if (control.stopped <= from)
            return restarts;
    }
}

Sample run(Recursion &r, const Launcher &launcher)
{
    Sample sample;
    Control control;
    float ms = 0;
    reset(r);
    gate<<<1, 1, 0, r.stream>>>(kGateCycles);
    CHECK(cudaEventRecord(r.first, r.stream));
    const unsigned restarts = run_steps(r, launcher, control);
    CHECK(cudaEventElapsedTime(&ms, r.first, r.last));
    sample.ns = static_cast<double>(ms) * 1e6;
    sample.launches = r.chain.in.steps;
    sample.wrong = control.late ? "a wait took too long" : check(r);
    if (restarts > 0)
        sample.remark = std::to_string(restarts) + " launches failed: " +
                        cudaGetErrorName(static_cast<cudaError_t>(control.error));
    return sample;
}

bool run_size(const twin::Options &options, const cb_chain_program *program, unsigned size)
{
    Recursion r(program, size);
    bool right = true;
    twin::set_pending(options.pending > 0 ? options.pending
                                          : std::max(r.chain.in.steps, twin::kFewestPending));
    for (const Launcher &launcher : kLaunchers) {
        if (!twin::is_wanted(options, launcher.id))
            continue;
        r.what.launcher = launcher.id;
        if (launcher.launch == launch_graph)
            make_graph(r);
        right = twin::measure(options, r.what, [&] { return run(r, launcher); }) && right;
    }
    return right;
}

} // namespace

int main(int argc, char **argv)
{
    const twin::Options options = twin::parse(argc, argv);
    const cb_chain_program *program = cb_chain_program_of(TWIN_PROGRAM);
    if (program->wg_size != CHAIN_WG || program->each != CHAIN_EACH) {
        std::fprintf(stderr, "klap: %s has other blocks or tiles now: build.sh\n", TWIN_PROGRAM);
        return twin::kExitUsage;
    }
    twin::print_header();
    bool right = true;
    for (unsigned size : options.sizes)
        right = run_size(options, program, size) && right;
    return right ? 0 : twin::kExitVerification;
}
