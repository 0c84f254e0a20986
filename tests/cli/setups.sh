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

# A kernel with a point, beside which tasks are run: ring.cl.
write_ring() {
  cat >ring.cl <<'END'
kernel void ring(global uint *v, uint n)
{
    for (transmit uint r = 0; r < 3; r++) {
        for (uint i = get_global_id(0); i < n; i += get_global_size(0))
            v[2 * i] = i + r;
        resizing_global_barrier();
    }
}
END
}
