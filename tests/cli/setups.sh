# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests of users' apps.

# all_are STATUS RUN [N]: each case of a run has it; N: and so many there are.
all_are() {
  check "$2: not all cases are $1" python3 -c '
import json, sys
cases = json.load(open(sys.argv[2] + "/run.json"))["cases"]
sys.exit(len(cases) != int(sys.argv[3] or len(cases) or 1) or any(c["status"] != sys.argv[1] for c in cases))' "$1" "$2" "${3:-}"
}

# setup NAME ARGUMENTS [MORE-KEYS]: NAME.json of NAME.cl.
setup() { printf '{"kernel": "%s.cl", "arguments": {%s}%s}\n' "$1" "$2" "${3:+, $3}" >"$1.json"; }
