/* SPDX-License-Identifier: Apache-2.0 */
#include "twin.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace twin
{

namespace
{

const char *const kSizes[] = {"small", "medium", "large"};

const char kUsage[] =
    "usage: klap-PROGRAM [--launcher LIST] [--size LIST] [--threshold LIST] [--runs N] "
    "[--pending N]\n"
    "  --threshold LIST  a parent with less work does it itself (1)\n"
    "  --runs N          timed runs of a case (11)\n"
    "  --pending N       launches from the device that may be pending (enough for all)\n";

[[noreturn]] void usage_error(const std::string &what)
{
    std::fprintf(stderr, "klap: %s\n%s", what.c_str(), kUsage);
    std::exit(kExitUsage);
}

std::vector<std::string> split(const std::string &text)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

unsigned number(const std::string &option, const std::string &text)
{
    char *end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || value < 1 || value > 10000000)
        usage_error(option + ": not a number from 1 to 10000000: " + text);
    return static_cast<unsigned>(value);
}

unsigned size_of(const std::string &name)
{
    for (unsigned size = 0; size < 3; ++size)
        if (name == kSizes[size])
            return size;
    usage_error("--size: small, medium or large, not " + name);
}

void set(Options &options, const std::string &option, const std::string &value)
{
    if (option == "--launcher")
        options.launchers = split(value);
    else if (option == "--size")
        for (const std::string &name : split(value))
            options.sizes.push_back(size_of(name));
    else if (option == "--threshold")
        for (const std::string &text : split(value))
            options.thresholds.push_back(number(option, text));
    else if (option == "--runs")
        options.runs = number(option, value);
    else if (option == "--pending")
        options.pending = number(option, value);
    else
        usage_error("unknown: " + option);
}

std::string device_name()
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    return properties.name;
}

double median(const std::vector<double> &sorted)
{
    const std::size_t n = sorted.size();
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

void print_row(const Case &c, const Sample &last, std::vector<double> ns)
{
    std::string reason = last.wrong.empty() ? last.remark : last.wrong;
    std::replace(reason.begin(), reason.end(), ',', ';');
    std::sort(ns.begin(), ns.end());
    std::printf("%s,%s,%s,%u,%u,%zu,", c.program, c.launcher, kSizes[c.size], c.threshold,
                last.launches, ns.size());
    if (ns.empty())
        std::printf(",,,");
    else
        std::printf("%.0f,%.0f,%.0f,", median(ns), ns.front(), ns.back());
    std::printf("%s,%s,%s\n", last.wrong.empty() ? "yes" : "no", reason.c_str(),
                device_name().c_str());
    std::fflush(stdout);
    if (!last.wrong.empty())
        std::fprintf(stderr, "%s/%s/%s: WRONG: %s\n", c.program, c.launcher, kSizes[c.size],
                     reason.c_str());
}

} // namespace

Options parse(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; i += 2) {
        if (std::strcmp(argv[i], "--help") == 0) {
            std::fputs(kUsage, stdout);
            std::exit(0);
        }
        if (i + 1 == argc)
            usage_error(std::string(argv[i]) + " needs a value");
        set(options, argv[i], argv[i + 1]);
    }
    if (options.sizes.empty())
        options.sizes = {0, 1, 2};
    if (options.thresholds.empty())
        options.thresholds = {1};
    return options;
}

bool is_wanted(const Options &options, const char *launcher)
{
    const std::vector<std::string> &all = options.launchers;
    return all.empty() || std::find(all.begin(), all.end(), launcher) != all.end();
}

void check_cuda(cudaError_t error, const char *call, int line)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "klap: line %d: %s: %s\n", line, call, cudaGetErrorString(error));
    std::fflush(stdout);
    _exit(kExitCuda); /* the context may be unusable: no destructors, no atexit */
}

void set_pending(unsigned launches)
{
    static unsigned now = 0;
    if (launches == now)
        return;
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, launches));
    now = launches;
}

double now_ns()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

void wait_or_exit(cudaStream_t stream, const Case &c)
{
    const double start = now_ns();
    cudaError_t state;
    while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady)
        if (now_ns() - start > kRunSeconds * 1e9) {
            std::fprintf(stderr, "klap: %s/%s/%s: no end after %g s, giving up\n", c.program,
                         c.launcher, kSizes[c.size], kRunSeconds);
            std::fflush(stdout);
            _exit(kExitHung);
        }
    check_cuda(state, c.launcher, __LINE__);
}

bool measure(const Options &options, const Case &c, const std::function<Sample()> &run)
{
    const double start = now_ns();
    std::vector<double> ns;
    Sample sample;
    for (unsigned i = 0; i < kWarmUps + options.runs; ++i) {
        if (!ns.empty() && now_ns() - start > kCaseSeconds * 1e9)
            break;
        sample = run();
        if (!sample.wrong.empty())
            break;
        if (i >= kWarmUps || now_ns() - start > kCaseSeconds * 1e9)
            ns.push_back(sample.ns);
    }
    print_row(c, sample, ns);
    return sample.wrong.empty();
}

void print_header()
{
    std::puts("program,launcher,size,threshold,launches,n,median_ns,min_ns,max_ns,verified,reason,"
              "device");
}

Words::Words(const unsigned *from, std::size_t n) : bytes((n > 0 ? n : 1) * sizeof(unsigned))
{
    CHECK(cudaMalloc(&device, bytes));
    CHECK(cudaMalloc(&original, bytes));
    CHECK(cudaMallocHost(&host, bytes));
    CHECK(cudaMemset(original, 0, bytes));
    if (from && n > 0)
        CHECK(cudaMemcpy(original, from, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device, original, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaDeviceSynchronize()); /* streams that do not block do not wait for it */
}

Words::~Words()
{
    CHECK(cudaFree(device));
    CHECK(cudaFree(original));
    CHECK(cudaFreeHost(host));
}

void Words::reset(cudaStream_t stream)
{
    CHECK(cudaMemcpyAsync(device, original, bytes, cudaMemcpyDeviceToDevice, stream));
}

const unsigned *Words::read(std::size_t n)
{
    CHECK(cudaMemcpy(host, device, std::min(bytes, n * sizeof(unsigned)), cudaMemcpyDeviceToHost));
    return host;
}

} // namespace twin
