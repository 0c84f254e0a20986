/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of `coopbench launch` whose parents launch children, in CUDA: the same text, inputs and
 * checks, by launches that CUDA's device runtime makes. build.sh chooses the program,
 * README.md in the folder above describes the launchers.
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

#include "nest_kernels.cuh"

extern "C" {
#include "apps/nested/programs/programs.h"
}

namespace
{

using twin::Case;
using twin::Sample;

constexpr unsigned kWordsOfRound = 8; /* count (2), blocks, children, failed, error */

/* All that a size of the program has on host and device. */
class Nest
{
  public:
    Nest(const cb_nest_program *the_program, unsigned size);
    ~Nest();
    Nest(const Nest &) = delete;
    Nest &operator=(const Nest &) = delete;

    const cb_nest_program *program;
    Case what;
    cb_nest_data data;
    twin::Words begins, others, words;
    nest_input in{};
    Round round{};
    unsigned *flag = nullptr;
    unsigned *known = nullptr; /* memory of the host's, to which the device copies */
    cudaStream_t stream = nullptr;
    unsigned launches = 0; /* of the run that is counted */
};

cb_nest_data make(const cb_nest_program *program, unsigned size)
{
    cb_nest_data data;
    cb_err err;
    if (cb_nest_make(program, static_cast<cb_launch_size>(size), nullptr, &data, &err) == CB_OK)
        return data;
    std::fprintf(stderr, "klap: %s: %s\n", program->id, err.text);
    std::exit(twin::kExitVerification);
}

Nest::Nest(const cb_nest_program *the_program, unsigned size)
    : program(the_program), what{the_program->id, "", size, 1}, data(make(program, size)),
      begins(data.begins, data.parents + std::size_t{1}), others(data.others, data.n_others),
      words(data.words, data.n_words)
{
    CHECK(cudaMalloc(&flag, sizeof *flag));
    CHECK(cudaMalloc(&round.records, data.parents * sizeof *round.records));
    CHECK(cudaMalloc(&round.count, kWordsOfRound * sizeof(unsigned)));
    CHECK(cudaMallocHost(&known, sizeof(cb_u64)));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    unsigned *rest = reinterpret_cast<unsigned *>(round.count + 1);
    round.blocks = rest;
    round.failed = rest + 2;
    in.begins = begins.device;
    in.others = others.device;
    in.words = words.device;
    in.flag = flag;
    in.parents = data.parents;
    in.n = data.n;
}

Nest::~Nest()
{
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFreeHost(known));
    CHECK(cudaFree(round.count));
    CHECK(cudaFree(round.records));
    CHECK(cudaFree(flag));
    cb_nest_free(&data);
}

struct Launcher {
    const char *id;
    void (*launch)(Nest &);
    unsigned together; /* parents whose launches are one; 0: there are none from the device */
};

unsigned parent_blocks(const Nest &n)
{
    return (n.data.parents - 1) / TWIN_PARENT + 1;
}

/* ---- A round --------------------------------------------------------------------------------- */

void reset_count(Nest &n)
{
    CHECK(cudaMemsetAsync(n.round.count, 0, sizeof(cb_u64) + sizeof(unsigned), n.stream));
}

void launch_none(Nest &n)
{
    parents_serial<<<parent_blocks(n), TWIN_PARENT, 0, n.stream>>>(n.in);
}

void launch_flat(Nest &n)
{
    parents_flat<<<n.data.parents, TWIN_CHILD, 0, n.stream>>>(n.in);
}

template <By kBy> void launch_each(Nest &n)
{
    parents_launch<kBy><<<parent_blocks(n), TWIN_PARENT, 0, n.stream>>>(n.in, n.round);
}

template <bool kBlock> void launch_together(Nest &n)
{
    reset_count(n);
    parents_together<kBlock><<<parent_blocks(n), TWIN_PARENT, 0, n.stream>>>(n.in, n.round);
}

void launch_last(Nest &n)
{
    reset_count(n);
    parents_note<true><<<parent_blocks(n), TWIN_PARENT, 0, n.stream>>>(n.in, n.round);
}

void read_word(Nest &n, const void *from, std::size_t bytes)
{
    CHECK(cudaMemcpyAsync(n.known, from, bytes, cudaMemcpyDeviceToHost, n.stream));
    twin::wait_or_exit(n.stream, n.what);
}

void launch_grid(Nest &n)
{
    reset_count(n);
    parents_note<false><<<parent_blocks(n), TWIN_PARENT, 0, n.stream>>>(n.in, n.round);
    CHECK(cudaGetLastError());
    read_word(n, n.round.count, sizeof(cb_u64));
    cb_u64 count;
    std::memcpy(&count, n.known, sizeof count);
    if (count == 0)
        return;
    children<<<NEST_GROUPS(count), TWIN_CHILD, 0, n.stream>>>(n.in, n.round.records,
                                                              NEST_RECORDS(count));
    if (n.round.counted)
        n.launches += NEST_RECORDS(count);
}

const Launcher kLaunchers[] = {
    {"none", launch_none, 0},
    {"flat", launch_flat, 0},
    {"cdp", launch_each<By::kForget>, 1},
    {"cdp-null", launch_each<By::kNull>, 1},
    {"cdp-thread", launch_each<By::kThread>, 1},
    {"cdp-stream", launch_each<By::kStream>, 1},
    {"agg-warp", launch_together<false>, kWarp},
    {"agg-block", launch_together<true>, TWIN_PARENT},
    {"agg-grid", launch_grid, 0},
    {"agg-last", launch_last, TWIN_PARENT},
};

/* ---- A run ----------------------------------------------------------------------------------- */

void run_lap(Nest &n, const Launcher &launcher)
{
    for (n.in.phase = 0; n.in.phase < n.program->phases; ++n.in.phase) {
        (n.program->launching >> n.in.phase & 1 ? launcher.launch : launch_none)(n);
        CHECK(cudaGetLastError());
    }
}

/* False: there was no end. */
bool run_laps(Nest &n, const Launcher &launcher)
{
    for (n.in.lap = 0; n.in.lap < NEST_MOST_LAPS; ++n.in.lap) {
        run_lap(n, launcher);
        if (!n.program->has_laps) {
            twin::wait_or_exit(n.stream, n.what);
            return true;
        }
        read_word(n, n.flag, sizeof *n.flag);
        if (*n.known == 0)
            return true;
        CHECK(cudaMemsetAsync(n.flag, 0, sizeof *n.flag, n.stream));
    }
    return false;
}

std::string check(Nest &n)
{
    char why[CB_NEST_WHY] = "";
    const unsigned *found = n.words.read(n.program->check ? n.data.n_words : n.data.n_expected);
    if (n.program->check)
        return n.program->check(&n.data, found, why) ? "" : std::string("wrong: ") + why;
    for (std::size_t i = 0; i < n.data.n_expected; ++i)
        if (found[i] != n.data.expected[i])
            return "word " + std::to_string(i) + " is " + std::to_string(found[i]) +
                   " instead of " + std::to_string(n.data.expected[i]);
    return "";
}

Sample run(Nest &n, const Launcher &launcher)
{
    Sample sample;
    unsigned words[kWordsOfRound];
    n.words.reset(n.stream);
    CHECK(cudaMemsetAsync(n.round.count, 0, sizeof words, n.stream));
    CHECK(cudaMemsetAsync(n.flag, 0, sizeof *n.flag, n.stream));
    twin::wait_or_exit(n.stream, n.what);
    const double start = twin::now_ns();
    const bool ended = run_laps(n, launcher);
    sample.ns = twin::now_ns() - start;
    CHECK(cudaMemcpy(words, n.round.count, sizeof words, cudaMemcpyDeviceToHost));
    n.launches += words[3];
    sample.launches = n.launches;
    sample.wrong = ended ? check(n) : "no end";
    if (words[4] > 0)
        sample.remark = std::to_string(words[4]) +
                        " launches failed: " + cudaGetErrorName(static_cast<cudaError_t>(words[5]));
    return sample;
}

/* As many launches as can be made in a round may be pending at once. */
unsigned pending_of(const Nest &n, const Launcher &launcher)
{
    const unsigned parents = launcher.together > 0 ? n.data.parents / launcher.together + 1 : 0;
    return std::max(parents, twin::kFewestPending);
}

/* The first run counts the children: it is none of the timed ones. */
bool run_case(Nest &n, const twin::Options &options, const Launcher &launcher, unsigned threshold)
{
    n.what.launcher = launcher.id;
    n.what.threshold = n.round.threshold = threshold;
    n.launches = 0;
    twin::set_pending(options.pending > 0 ? options.pending : pending_of(n, launcher));
    n.round.counted = n.round.blocks + 1;
    return twin::measure(options, n.what, [&] {
        const Sample sample = run(n, launcher);
        n.round.counted = nullptr;
        return sample;
    });
}

/* The others have no threshold. */
bool is_launching(const Launcher &launcher)
{
    return launcher.launch != launch_none && launcher.launch != launch_flat;
}

bool run_size(const twin::Options &options, const cb_nest_program *program, unsigned size)
{
    Nest n(program, size);
    bool right = true;
    for (const Launcher &launcher : kLaunchers)
        for (unsigned threshold : options.thresholds)
            if (twin::is_wanted(options, launcher.id) &&
                (is_launching(launcher) || threshold == options.thresholds.front()))
                right = run_case(n, options, launcher, threshold) && right;
    return right;
}

} // namespace

int main(int argc, char **argv)
{
    const twin::Options options = twin::parse(argc, argv);
    const cb_nest_program *program = cb_nest_program_of(TWIN_PROGRAM);
    if (program->parent_size != TWIN_PARENT || program->child_size != TWIN_CHILD) {
        std::fprintf(stderr, "klap: %s has other blocks now: build.sh\n", TWIN_PROGRAM);
        return twin::kExitUsage;
    }
    twin::print_header();
    bool right = true;
    for (unsigned size : options.sizes)
        right = run_size(options, program, size) && right;
    return right ? 0 : twin::kExitVerification;
}
