/* SPDX-License-Identifier: Apache-2.0 */
#include "apps.cuh"
#include "rows.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace green
{

namespace
{

const char kUsage[] = "usage: green [--runs N] [--budget S] [--side N] [--roots N]\n"
                      "  --runs N    samples of each row (11)\n"
                      "  --budget S  seconds of a sample (0.2)\n"
                      "  --side N    of bfs's grid, in vertices (512)\n"
                      "  --roots N   of the tree (1024)\n";

[[noreturn]] void usage_error(const std::string &what)
{
    std::fprintf(stderr, "green: %s\n%s", what.c_str(), kUsage);
    std::exit(kExitUsage);
}

double number(const std::string &option, const char *text, double least, double most)
{
    char *end = nullptr;
    const double value = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= least && value <= most))
        usage_error(option + ": not a number from " + std::to_string(least) + " to " +
                    std::to_string(most) + ": " + text);
    return value;
}

/* The median, the least and the most, or nothing. */
void print_spread(const std::vector<double> &list)
{
    if (list.empty())
        std::printf(",,,");
    else
        std::printf("%.6g,%.6g,%.6g,", median(list), *std::min_element(list.begin(), list.end()),
                    *std::max_element(list.begin(), list.end()));
}

} // namespace

Options parse(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--help") {
            std::fputs(kUsage, stdout);
            std::exit(0);
        }
        if (i + 1 == argc)
            usage_error(option + " needs a value");
        if (option == "--runs")
            options.runs = static_cast<unsigned>(number(option, argv[i + 1], 1, 1000));
        else if (option == "--budget")
            options.budget_s = number(option, argv[i + 1], .01, 4);
        else if (option == "--side")
            options.side = static_cast<unsigned>(number(option, argv[i + 1], 2, 8192));
        else if (option == "--roots")
            options.roots = static_cast<unsigned>(number(option, argv[i + 1], 1, kRoom / 2));
        else
            usage_error("unknown: " + option);
    }
    return options;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

void Row::add(const double together[2], const double alone[2])
{
    const double a = together[0] / alone[0], b = together[1] / alone[1];
    for (int k = 0; k < 2; ++k)
        rates[k].push_back(together[k]);
    if (!(a > 0 && b > 0))
        return;
    stp.push_back(a + b);
    antt.push_back((1 / a + 1 / b) / 2);
    fairness.push_back(std::min(a, b) / std::max(a, b));
}

double median(std::vector<double> list)
{
    std::sort(list.begin(), list.end());
    const std::size_t n = list.size();
    return n == 0 ? 0 : n % 2 ? list[n / 2] : (list[n / 2 - 1] + list[n / 2]) / 2;
}

void print_header()
{
    std::puts(
        "what,share,sms_bfs,sms_tree,n,bfs_per_s,bfs_min,bfs_max,tree_per_s,tree_min,tree_max,"
        "stp,stp_min,stp_max,antt,antt_min,antt_max,fairness,fairness_min,fairness_max,"
        "resize_ns,resize_min,resize_max,verified,reason,device");
}

void print_row(const Row &r, const std::string &device)
{
    std::string reason = r.wrong.empty() ? r.remark : r.wrong;
    std::replace(reason.begin(), reason.end(), ',', ';');
    std::printf("%s,%s,%u,%u,%zu,", r.what.c_str(), r.share.c_str(), r.sms[0], r.sms[1],
                std::max(r.rates[0].size(), r.resize_ns.size()));
    for (const auto &list : {r.rates[0], r.rates[1], r.stp, r.antt, r.fairness, r.resize_ns})
        print_spread(list);
    std::printf("%s,%s,%s\n",
                !r.wrong.empty() ? "no"
                : r.unsupported  ? "unsupported"
                                 : "yes",
                reason.c_str(), device.c_str());
    std::fflush(stdout);
    if (!reason.empty())
        std::fprintf(stderr, "%s %s: %s\n", r.what.c_str(), r.share.c_str(), reason.c_str());
}

} // namespace green
