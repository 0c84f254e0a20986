/* SPDX-License-Identifier: Apache-2.0 */
#include "contexts.h"

namespace green
{

namespace
{

/* Of the driver; null: it lacks it. cudart has loaded it. */
template <typename Function> Function entry(const char *name)
{
    void *found = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion(name, &found, 12050, cudaEnableDefault, &result);
    const bool there = error == cudaSuccess && result == cudaDriverEntryPointSuccess;
    return reinterpret_cast<Function>(there ? found : nullptr);
}

#define DRIVER(name) decltype(&::name) name = entry<decltype(&::name)>(#name)

struct Driver {
    DRIVER(cuGetErrorName);
    DRIVER(cuDeviceGet);
    DRIVER(cuDeviceGetDevResource);
    DRIVER(cuDevSmResourceSplitByCount);
    DRIVER(cuDevResourceGenerateDesc);
    DRIVER(cuGreenCtxCreate);
    DRIVER(cuGreenCtxDestroy);
    DRIVER(cuGreenCtxStreamCreate);
    DRIVER(cuStreamDestroy);

    bool is_whole() const
    {
        return cuGetErrorName && cuDeviceGet && cuDeviceGetDevResource &&
               cuDevSmResourceSplitByCount && cuDevResourceGenerateDesc && cuGreenCtxCreate &&
               cuGreenCtxDestroy && cuGreenCtxStreamCreate && cuStreamDestroy;
    }
};

const Driver &driver()
{
    static const Driver the_driver;
    return the_driver;
}

/* What failed; empty: nothing. */
std::string told(CUresult result, const char *what)
{
    const char *name = "an unknown error";
    if (result == CUDA_SUCCESS)
        return "";
    driver().cuGetErrorName(result, &name);
    return std::string(what) + ": " + name;
}

/* As fine as the device allows; without that flag as coarse as it likes. */
CUresult split(const CUdevResource &all, unsigned sms, CUdevResource *first, CUdevResource *rest)
{
    CUresult result = CUDA_ERROR_UNKNOWN;
    for (unsigned flags : {unsigned{CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING}, 0u}) {
        unsigned groups = 1;
        result = driver().cuDevSmResourceSplitByCount(first, &groups, &all, rest, flags, sms);
        if (result == CUDA_SUCCESS && groups == 1)
            return result;
    }
    return result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : result;
}

} // namespace

std::string Parts::make_one(int i, CUdevResource *resource)
{
    CUdevice device;
    CUdevResourceDesc description;
    CUstream stream;
    std::string wrong = told(driver().cuDeviceGet(&device, 0), "cuDeviceGet");
    if (wrong.empty())
        wrong = told(driver().cuDevResourceGenerateDesc(&description, resource, 1),
                     "cuDevResourceGenerateDesc");
    if (wrong.empty())
        wrong = told(driver().cuGreenCtxCreate(&contexts[i], description, device,
                                               CU_GREEN_CTX_DEFAULT_STREAM),
                     "cuGreenCtxCreate");
    if (wrong.empty())
        wrong =
            told(driver().cuGreenCtxStreamCreate(&stream, contexts[i], CU_STREAM_NON_BLOCKING, 0),
                 "cuGreenCtxStreamCreate");
    if (wrong.empty()) {
        streams[i] = stream;
        sms[i] = resource->sm.smCount;
    }
    return wrong;
}

std::string Parts::make(unsigned first_sms)
{
    CUdevice device;
    CUdevResource all, first, rest;
    if (!driver().is_whole())
        return "the driver has no green contexts: one of CUDA 12.5 or newer has";
    std::string wrong = told(driver().cuDeviceGet(&device, 0), "cuDeviceGet");
    if (wrong.empty())
        wrong = told(driver().cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM),
                     "cuDeviceGetDevResource");
    if (wrong.empty())
        wrong = told(split(all, first_sms, &first, &rest), "cuDevSmResourceSplitByCount");
    if (wrong.empty() && rest.type != CU_DEV_RESOURCE_TYPE_SM)
        wrong = "the device leaves no multiprocessors to the second context";
    if (wrong.empty())
        wrong = make_one(0, &first);
    if (wrong.empty())
        wrong = make_one(1, &rest);
    if (!wrong.empty())
        release();
    return wrong;
}

void Parts::release()
{
    for (int i = 0; i < 2; ++i) {
        if (streams[i])
            driver().cuStreamDestroy(streams[i]);
        if (contexts[i])
            driver().cuGreenCtxDestroy(contexts[i]);
        streams[i] = nullptr;
        contexts[i] = nullptr;
        sms[i] = 0;
    }
}

Parts::~Parts()
{
    release();
}

} // namespace green
