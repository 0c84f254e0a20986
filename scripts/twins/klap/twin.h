/* SPDX-License-Identifier: Apache-2.0
 *
 * The part that both twins of `coopbench launch` share: options, the watchdog, runs of a case, and
 * the CSV. Exit status: 0 fine, 1 a wrong result, 2 a run did not end, 3 a CUDA call failed, 64
 * usage.
 */
#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

namespace twin
{

constexpr int kExitVerification = 1, kExitHung = 2, kExitCuda = 3, kExitUsage = 64;
constexpr double kRunSeconds = 10;   /* after that, a run is taken for hung */
constexpr double kCaseSeconds = 1.5; /* after that, a case makes no further run */
constexpr unsigned kWarmUps = 2;

void check_cuda(cudaError_t error, const char *call, int line);
#define CHECK(call) twin::check_cuda((call), #call, __LINE__)

struct Options {
    std::vector<std::string> launchers; /* empty: all */
    std::vector<unsigned> sizes;        /* of enum cb_launch_size */
    std::vector<unsigned> thresholds;
    unsigned runs = 11;
    unsigned pending = 0; /* launches from the device that may be pending; 0: as many as may be */
};

Options parse(int argc, char **argv);

bool is_wanted(const Options &options, const char *launcher);

/* Room for launches from the device that have not begun. More of it makes each launch slower. */
void set_pending(unsigned launches);

constexpr unsigned kFewestPending = 2048; /* CUDA's default */

struct Case {
    const char *program, *launcher;
    unsigned size, threshold;
};

/* One run. wrong: why its result is; remark: why it is not a time to compare. */
struct Sample {
    double ns = 0;
    unsigned launches = 0;
    std::string wrong, remark;
};

/* Waits for all work of a stream. Nothing blocks while a kernel may be running: one that does not
 * end cannot be stopped but by ending the process. */
void wait_or_exit(cudaStream_t stream, const Case &c);

double now_ns();

/* Runs a case, checked each time, and prints its row; false: a result is wrong. */
bool measure(const Options &options, const Case &c, const std::function<Sample()> &run);

void print_header();

/* An array of words on the device, which is the same before each run. */
class Words
{
  public:
    Words(const unsigned *from, std::size_t n); /* from null: zeros */
    ~Words();
    Words(const Words &) = delete;
    Words &operator=(const Words &) = delete;
    void reset(cudaStream_t stream);
    const unsigned *read(std::size_t n); /* into memory of the host's that belongs to this */

    unsigned *device = nullptr;

  private:
    std::size_t bytes;
    unsigned *original = nullptr, *host = nullptr;
};

} // namespace twin
