/* SPDX-License-Identifier: Apache-2.0
 *
 * Two green contexts that share a device's multiprocessors out, made and unmade. The driver is
 * loaded at run time; one older than CUDA 12.5's lacks what is needed, and says so.
 */
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <string>

namespace green
{

/* Both contexts, and a stream in each. */
class Parts
{
  public:
    Parts() = default;
    ~Parts();
    Parts(const Parts &) = delete;
    Parts &operator=(const Parts &) = delete;

    /* The first gets `sms` multiprocessors, or the next larger number that the device allows, the
     * second the rest. Not before release() or at first. Returns why not; empty: it has. */
    std::string make(unsigned sms);

    /* Nothing may run in them. */
    void release();

    unsigned sms[2] = {0, 0};
    cudaStream_t streams[2] = {nullptr, nullptr};

  private:
    std::string make_one(int i, CUdevResource *resource);

    CUgreenCtx contexts[2] = {nullptr, nullptr};
};

} // namespace green
