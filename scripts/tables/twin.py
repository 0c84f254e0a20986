# SPDX-License-Identifier: Apache-2.0
"""The same programs by CUDA's own launches (scripts/twins/klap), beside ours on the same GPU."""
from tables.common import metric, rows, table
from tables.klap import CHAINS, PARENTS, SIZES, cases, mean, of_programs, ratios, time

# Programs, what they launch by as they are written, and all launchers
KINDS = (("with children", PARENTS, "thread",
          ("thread", "warp", "block", "multiblock", "grid", "ahead", "flat", "serial")),
         ("that launch themselves", CHAINS, "tail",
          ("tail", "P", "PO", "PA-2", "PA-128", "PA-all", "PAO-2", "PAO-128", "PAO-all", "host", "loop")))


def of_pair(ours, theirs, programs, plain, launcher, size):
    """How many times as long as our launcher CUDA's plain launches take, and CUDA's own launcher of that kind."""
    mine = [time(ours, program, launcher, size) for program in programs]
    most = len({key[0] for key in ours} & {key[0] for key in theirs} & set(programs))
    return [of_programs(ratios([time(theirs, program, other, size) for program in programs], mine), most)
            for other in (plain, launcher)]


def by_stream(run, size):
    """{kind of stream: {program: time}} of CDP's launches."""
    found = {}
    for case in rows(run, "launch"):
        _, program, _, of_size = case["id"].split("/")
        if of_size == size and program in PARENTS:
            found.setdefault(case["cuda"], {})[program] = metric(case, "run_time")
    return {kind: times for kind, times in found.items() if kind.startswith("cdp")}


def streams(devices):
    """CDP by other streams than the block's null stream, in which children come one after the other: how many times as
    fast."""
    kinds = (("each thread's default stream", "1.90 (K40c), 1.83 (GTX 980)", ("cdp-thread",)),
             ("a stream of each launch's own", "", ("cdp-stream",)),
             ("the faster of these two, of each program", "the baseline", ("cdp-thread", "cdp-stream")),
             ("no stream: fire and forget", "", ("cdp",)))
    lines = []
    for what, paper, of in kinds:
        line = [what, paper]
        for _, run in devices:
            for size in SIZES:
                found = by_stream(run, size)
                null = found.get("cdp-null", {})
                gains = [null[program] / min(found[kind][program] for kind in of) for program in null
                         if all(program in found.get(kind, {}) for kind in of)]
                line.append(f"{mean(gains):.2f}" if gains else "")
        lines.append(line)
    return table(["children's streams", "KLAP'16", *(f"{name}: {size}" for name, _ in devices for size in SIZES)], lines)


def klap_twin(devices):
    """Geometric means over the programs that both have; launchers that we lack are left out. devices: ours and the twin,
    in turn."""
    pairs = [(name, cases(ours), cases(theirs)) for (name, ours), (_, theirs) in zip(devices[::2], devices[1::2])]
    heads = ["programs", "launcher"]
    for name, *_ in pairs:
        heads += [head for size in SIZES for head in (f"{name}, {size}: CDP : ours", "the same by CUDA : ours")]
    lines = []
    for kind, programs, plain, launchers in KINDS:
        for launcher in launchers:
            cells = [cell for _, ours, theirs in pairs for size in SIZES
                     for cell in of_pair(ours, theirs, programs, plain, launcher, size)]
            lines += [[kind, f"`{launcher}`", *cells]] if any(cells) else []
    return table(heads, lines)
