# SPDX-License-Identifier: Apache-2.0
"""For ReFrame: a suite on each of some devices of a node, every median a performance variable. docs/fleet.md.

  DEVICES=uuid:14510562,uuid:9ab0 reframe -c scripts/fleet/reframe_coopbench.py -S program=$PWD/build/coopbench -r

coopbench's tests only compile this file: ReFrame is no package of Debian 12."""
import csv
import os

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import parameter, run_after, run_before, sanity_function, variable


@rfm.simple_test
class Coopbench(rfm.RunOnlyRegressionTest):
    """One device; references (self.reference) are the site's."""
    device = parameter(os.environ.get("DEVICES", "gpu").split(","))
    program = variable(str, value="coopbench")
    suite = variable(str, value="smoke")
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_tasks = 1
    exclusive_access = True
    time_limit = "1h"

    @run_after("init")
    def set_command(self):
        self.executable = self.program
        self.executable_opts = ["run", self.suite, "--device", self.device, "--output-dir", ".", "--run-id", "run",
                                "--progress", "lines"]
        self.keep_files = ["run"]

    @sanity_function
    def is_complete(self):
        return sn.assert_found(r'"complete":\s*true', "run/run.json")

    @run_before("performance")
    def name_medians(self):
        with open(os.path.join(self.stagedir, "run", "summary.csv"), newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["status"] == "ok" and row["median"]:
                    self.perf_variables[f'{row["case_id"]} {row["metric"]}'] = sn.make_performance_function(
                        float, row["unit"] or "1", row["median"])
