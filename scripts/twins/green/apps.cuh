/* SPDX-License-Identifier: Apache-2.0
 *
 * The two kernels with their memory, how they are launched and stopped, and whether what they did
 * is right. Nothing blocks while a kernel may be running: one that does not end cannot be stopped
 * but by ending the process.
 */
#pragma once
#include "kernels.cuh"

#include <cuda_runtime.h>

#include <string>
#include <vector>

namespace green
{

constexpr int kExitWrong = 1, kExitHung = 2, kExitCuda = 3, kExitUsage = 64;
constexpr double kStartSeconds = 3; /* within which a kernel begins, and both do */
constexpr double kEndSeconds = 10;  /* within which it ends once it is told to */

void check_cuda(cudaError_t error, const char *call, int line);
#define CHECK(call) green::check_cuda((call), #call, __LINE__)

double now_s(); /* of the host */
void sleep_s(double seconds);

/* What a launch did. */
struct Outcome {
    unsigned runs = 0;
    std::vector<double> starts_ns; /* of each run, and of what would have been the next */
    unsigned sms = 0;              /* that its blocks were on */
    std::string wrong;             /* empty: all is right */

    /* Runs a second, by the median time from the start of a run to that of the next. */
    double rate(unsigned from, unsigned until) const;
};

class App
{
  public:
    virtual ~App();
    App(const App &) = delete;
    App &operator=(const App &) = delete;

    /* Before each start, while nothing runs. */
    void prepare();

    /* Begins it in a stream, with one block for each of so many multiprocessors. It is loaded there
     * before, by a launch of no runs. */
    void start(cudaStream_t stream, unsigned blocks, unsigned most_runs = kMostRuns);

    bool has_started() const;
    unsigned runs() const;
    void stop();
    void await_end(); /* or ends the process */
    Outcome outcome();

  protected:
    App();
    virtual void launch(const Launch &launch, unsigned blocks, cudaStream_t stream) = 0;
    virtual unsigned expected_digest() const = 0;
    virtual std::string check_last() = 0; /* whole */

  private:
    Control *control = nullptr;
    Talk *talk = nullptr;
    cudaStream_t where = nullptr;
};

class BfsApp final : public App
{
  public:
    explicit BfsApp(unsigned side);
    ~BfsApp() override;

  private:
    void launch(const Launch &launch, unsigned blocks, cudaStream_t stream) override;
    unsigned expected_digest() const override;
    std::string check_last() override;

    Bfs bfs{};
    std::vector<unsigned> expected;
    unsigned digest;
};

class TreeApp final : public App
{
  public:
    explicit TreeApp(unsigned roots);
    ~TreeApp() override;
    unsigned nodes = 0;

  private:
    void launch(const Launch &launch, unsigned blocks, cudaStream_t stream) override;
    unsigned expected_digest() const override;
    std::string check_last() override;

    Tree tree{};
    unsigned digest;
};

} // namespace green
