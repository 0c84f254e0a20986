/* SPDX-License-Identifier: Apache-2.0
 *
 * Two blocking kernels on one GPU: each alone, one after the other, both in green contexts, both in
 * two streams. README.md beside this file says how to use it. CSV on stdout, the rest on stderr.
 * Exit status: 0 fine, 1 a wrong result, 2 a kernel did not end, 3 a CUDA call failed or there is
 * no device, 64 usage.
 */
#include "apps.cuh"
#include "contexts.h"
#include "rows.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace green
{
namespace
{

constexpr unsigned kLeastRuns = 3;   /* of each that count, within */
constexpr double kMostSeconds = 5;   /* of a sample */
constexpr double kTurnSeconds = .02; /* one after the other: of a turn */

/* ---- Samples --------------------------------------------------------------------------------- */

struct Bench {
    Options options;
    App *apps[2];
    unsigned sms; /* of the device */
    cudaStream_t streams[2];
    double alone[2] = {0, 0}; /* medians, runs a second */
};

bool wait_for(double seconds, const std::function<bool()> &condition)
{
    const double end = now_s() + seconds;
    while (!condition())
        if (now_s() > end)
            return false;
    return true;
}

/* Ends both, whatever has become of them. */
void end_both(Bench &b)
{
    for (App *app : b.apps)
        app->stop();
    for (App *app : b.apps)
        app->await_end();
}

/* Whether both run at once; if not, both have ended. */
bool start_both(Bench &b, const cudaStream_t streams[2], const unsigned blocks[2])
{
    for (App *app : b.apps)
        app->prepare();
    for (int k = 0; k < 2; ++k)
        b.apps[k]->start(streams[k], blocks[k]);
    if (wait_for(kStartSeconds,
                 [&] { return b.apps[0]->has_started() && b.apps[1]->has_started(); }))
        return true;
    end_both(b);
    return false;
}

/* What both did; granted: multiprocessors of each (0: not looked at). */
void check_both(Bench &b, Outcome out[2], const unsigned granted[2], Row &row)
{
    for (int k = 0; k < 2; ++k) {
        out[k] = b.apps[k]->outcome();
        if (row.wrong.empty())
            row.wrong = out[k].wrong;
        if (granted[k] > 0 && out[k].sms > granted[k])
            row.remark = std::to_string(out[k].sms) + " multiprocessors were used instead of " +
                         std::to_string(granted[k]);
    }
}

double sample_alone(Bench &b, int k, Row &row)
{
    App &app = *b.apps[k];
    app.prepare();
    app.start(b.streams[k], b.sms);
    const bool began = wait_for(kStartSeconds, [&] { return app.has_started(); });
    sleep_s(b.options.budget_s);
    wait_for(kMostSeconds, [&] { return app.runs() > kLeastRuns; });
    app.stop();
    app.await_end();
    const Outcome out = app.outcome();
    if (row.wrong.empty())
        row.wrong = began ? out.wrong : "it did not begin";
    return out.rate(1, out.runs); /* the first finds cold caches */
}

/* False: they do not run at once. */
bool sample_both(Bench &b, const cudaStream_t streams[2], const unsigned blocks[2],
                 const unsigned granted[2], Row &row)
{
    if (!start_both(b, streams, blocks))
        return false;
    Outcome out[2];
    const unsigned from[2] = {b.apps[0]->runs(), b.apps[1]->runs()};
    sleep_s(b.options.budget_s);
    wait_for(kMostSeconds, [&] {
        return b.apps[0]->runs() > from[0] + kLeastRuns && b.apps[1]->runs() > from[1] + kLeastRuns;
    });
    const unsigned until[2] = {b.apps[0]->runs(), b.apps[1]->runs()};
    end_both(b);
    check_both(b, out, granted, row);
    const double rates[2] = {out[0].rate(from[0] + 1, until[0]),
                             out[1].rate(from[1] + 1, until[1])};
    row.add(rates, b.alone);
    return true;
}

/* ---- Cases ----------------------------------------------------------------------------------- */

Row measure_alone(Bench &b)
{
    Row row{"alone", ""};
    row.sms[0] = row.sms[1] = b.sms;
    for (unsigned i = 0; i < b.options.runs && row.wrong.empty(); ++i)
        for (int k = 0; k < 2; ++k)
            row.rates[k].push_back(sample_alone(b, k, row));
    for (int k = 0; k < 2; ++k)
        b.alone[k] = row.wrong.empty() ? median(row.rates[k]) : 0;
    if (row.wrong.empty() && !(b.alone[0] > 0 && b.alone[1] > 0))
        row.wrong = "a kernel ends too few runs: a longer --budget helps";
    return row;
}

/* In turns, each for some runs. */
void sample_serial(Bench &b, Row &row)
{
    double runs[2] = {0, 0};
    double seconds = 0; /* without the checks */
    while (seconds < b.options.budget_s && row.wrong.empty())
        for (int k = 0; k < 2; ++k) {
            App &app = *b.apps[k];
            const double begin = now_s();
            app.prepare();
            app.start(b.streams[k], b.sms,
                      static_cast<unsigned>(std::max(1., kTurnSeconds * b.alone[k])));
            app.await_end();
            seconds += now_s() - begin;
            const Outcome out = app.outcome();
            row.wrong = row.wrong.empty() ? out.wrong : row.wrong;
            runs[k] += out.runs;
        }
    const double rates[2] = {runs[0] / seconds, runs[1] / seconds};
    row.add(rates, b.alone);
}

Row measure_serial(Bench &b)
{
    Row row{"one after the other", ""};
    row.sms[0] = row.sms[1] = b.sms;
    for (unsigned i = 0; i < b.options.runs && row.wrong.empty(); ++i)
        sample_serial(b, row);
    return row;
}

Row measure_streams(Bench &b)
{
    Row row{"streams", ""};
    const unsigned blocks[2] = {b.sms, b.sms}, granted[2] = {0, 0};
    row.sms[0] = row.sms[1] = b.sms;
    for (unsigned i = 0; i < b.options.runs && row.wrong.empty(); ++i)
        if (!sample_both(b, b.streams, blocks, granted, row)) {
            row.unsupported = true;
            row.remark = "the kernels do not run at once";
            break;
        }
    return row;
}

Row measure_green(Bench &b, unsigned quarters)
{
    Row row{"green contexts", std::to_string(quarters) + "/4"};
    Parts parts;
    row.remark = parts.make(std::max(1u, b.sms * quarters / 4));
    row.unsupported = !row.remark.empty();
    std::copy(parts.sms, parts.sms + 2, row.sms);
    for (unsigned i = 0; i < b.options.runs && row.wrong.empty() && !row.unsupported; ++i)
        if (!sample_both(b, parts.streams, parts.sms, parts.sms, row)) {
            row.unsupported = true;
            row.remark = "the kernels do not run at once";
        }
    return row;
}

/* From the decision until both run with the other shares: their runs have to end first, which is
 * the second row. With `kept`, the contexts of both shares are there before. */
std::vector<Row> measure_resize(Bench &b, bool kept)
{
    const std::string name = kept ? "resize; contexts kept" : "resize; contexts made anew";
    Row row{name, "1/4 to 3/4 and back"}, ends{name + "; until the runs have ended", row.share};
    Parts parts[2];
    const unsigned sms[2] = {std::max(1u, b.sms / 4), std::max(1u, b.sms * 3 / 4)};
    row.remark = parts[0].make(sms[0]);
    if (row.remark.empty() && kept)
        row.remark = parts[1].make(sms[1]);
    for (Row *r : {&row, &ends})
        std::copy(parts[0].sms, parts[0].sms + 2, r->sms);
    unsigned now = 0;
    bool on = row.remark.empty() && start_both(b, parts[0].streams, parts[0].sms);
    for (unsigned i = 0; on && i < 2 * b.options.runs && row.wrong.empty(); ++i) {
        Outcome out[2];
        sleep_s(kTurnSeconds);
        const double begin = now_s();
        end_both(b);
        const double end = now_s();
        check_both(b, out, parts[now].sms, row); /* which is not what is timed */
        const double again = now_s();
        if (!kept)
            parts[now].release();
        now = 1 - now;
        if (!kept)
            row.remark = parts[now].make(sms[now]);
        on = row.remark.empty() && start_both(b, parts[now].streams, parts[now].sms);
        ends.resize_ns.push_back((end - begin) * 1e9);
        if (on)
            row.resize_ns.push_back((end - begin + now_s() - again) * 1e9);
    }
    if (on)
        end_both(b);
    else if (row.remark.empty())
        row.remark = "the kernels do not run at once";
    row.unsupported = ends.unsupported = !on;
    ends.wrong = row.wrong;
    return {row, ends};
}

int run(Bench &b, const std::string &device)
{
    using Rows = std::vector<Row>;
    const std::vector<std::function<Rows()>> cases = {
        [&] { return Rows{measure_alone(b)}; },    [&] { return Rows{measure_serial(b)}; },
        [&] { return Rows{measure_streams(b)}; },  [&] { return Rows{measure_green(b, 1)}; },
        [&] { return Rows{measure_green(b, 2)}; }, [&] { return Rows{measure_green(b, 3)}; },
        [&] { return measure_resize(b, false); },  [&] { return measure_resize(b, true); },
    };
    bool right = true;
    print_header();
    for (std::size_t i = 0; i < cases.size() && (i == 0 || b.alone[1] > 0); ++i)
        for (const Row &row : cases[i]()) {
            print_row(row, device);
            right = right && row.wrong.empty();
        }
    return right ? 0 : kExitWrong;
}

} // namespace
} // namespace green

int main(int argc, char **argv)
{
    using namespace green;
    const Options options = parse(argc, argv);
    int devices = 0;
    cudaDeviceProp properties;
    setenv("CUDA_MODULE_LOADING", "EAGER", 1); /* a load may wait for kernels that run */
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess || devices == 0) {
        std::fprintf(stderr,
                     "green: there is no CUDA device (%s): this needs NVIDIA's driver and a GPU\n",
                     cudaGetErrorString(error));
        return kExitCuda;
    }
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaFree(nullptr)); /* the primary context, which green contexts are made from */
    BfsApp bfs(options.side);
    TreeApp tree(options.roots);
    std::fprintf(stderr, "green: %s, %d multiprocessors, a tree of %u nodes\n", properties.name,
                 properties.multiProcessorCount, tree.nodes);
    Bench b{options, {&bfs, &tree}, static_cast<unsigned>(properties.multiProcessorCount), {}};
    for (cudaStream_t &stream : b.streams)
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return run(b, properties.name);
}
