/* SPDX-License-Identifier: Apache-2.0
 *
 * Options, and the rows of the CSV.
 */
#pragma once
#include <string>
#include <vector>

namespace green
{

struct Options {
    unsigned runs = 11, side = 512, roots = 1024;
    double budget_s = .2;
};

/* Or ends the program. */
Options parse(int argc, char **argv);

/* 0: of nothing. */
double median(std::vector<double> list);

struct Row {
    std::string what, share;
    unsigned sms[2] = {0, 0};
    std::vector<double> rates[2], stp, antt, fairness, resize_ns;
    std::string wrong, remark; /* remark: also of rows that were not measured */
    bool unsupported = false;

    /* Of a sample, beside what each does alone: runs a second. */
    void add(const double together[2], const double alone[2]);
};

void print_header();
void print_row(const Row &row, const std::string &device);

} // namespace green
