#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Takes runs into results/reference, draws the pictures that are made of them anew, and fills the tables of README.md
# and docs:
#
#   scripts/take-reference.sh nvidia-h200 paper-oopsla16=RUN paper-fse17/ours=RUN graphics=RUN
#
# RUN is a run's folder, with its samples where a picture needs them (graphics, together). Kept are run.json, compressed,
# report.md, the workloads and the scenes (more than 300 KB: 960 wide, by netpbm), not events and samples, nor what
# follows from these: "coopbench export --to csv" writes summary.csv, and "coopbench plot" each picture's PNG, script and
# data; but data of pictures that are made of samples are kept. Of run.json, names of folders are cut off; nothing else
# is changed. COOPBENCH: the program that draws.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
coopbench=${COOPBENCH:-$root/build/coopbench}
reference=$root/results/reference
most_png=300000

if [ $# -lt 2 ] || [ ! -d "$reference/$1" ]; then
  echo "usage: scripts/take-reference.sh DEVICE NAME=RUN..., DEVICE: $(cd "$reference" && echo */)" >&2
  exit 2
fi
device=$1
shift

# Paths of the machine that measured: the names of files are enough.
without_folders() { sed -E 's#"/[^"]*/([^"/]+)"#"\1"#g'; }

# The file that coopbench reads in a run's folder; fails if there is none.
document() { ls "$1"/run.json 2>/dev/null || ls "$1"/run.json.gz 2>/dev/null; }

keep_png() { # FILE FOLDER
  if [ "$(stat -c %s "$1")" -le $most_png ]; then
    cp "$1" "$2/"
  else
    pngtopam "$1" | pamscale -width 960 | pnmtopng -compression 9 >"$2/$(basename "$1")"
  fi
}

keep() { # RUN FOLDER
  local file
  rm -rf "$2"
  mkdir -p "$2"
  gzip -cdf "$(document "$1")" | without_folders | gzip -9 -n >"$2/run.json.gz"
  for file in "$1"/{report.md,*.json}; do # a run without tables has no report
    [ "$(basename "$file")" = run.json ] || [ ! -e "$file" ] || cp "$file" "$2/"
  done
  for file in "$1"/*.png; do
    [ ! -e "$file" ] || keep_png "$file" "$2"
  done
}

# The pictures of a benchmark whose names are given, as they are in the documents; with another run in them: beside;
# elsewhere than with all others: into. with_data: samples make them, which are not kept, so that their data are.
draw() { # RUN NAME...
  local run=$1 pictures name
  shift
  pictures=$(mktemp -d)
  "$coopbench" plot "$run" ${beside:+"$beside"} -o "$pictures" >"$pictures/drawn"
  for name; do
    cp "$pictures/$name".svg ${with_data:+"$pictures/$name".dat} "${into:-$reference/plots}/"
  done
  rm -r "$pictures"
}

# The document of a run with only those cases whose id matches.
cases_of() { # RUN GLOB
  gzip -cdf "$(document "$1")" | python3 -c '
import fnmatch, json, sys
run = json.load(sys.stdin)
run["cases"] = [case for case in run["cases"] if fnmatch.fnmatchcase(case["id"], sys.argv[1])]
json.dump(run, sys.stdout)' "$2"
}

for pair; do
  name=${pair%%=*}
  run=${pair#*=}
  if ! document "$run" >/dev/null; then
    echo "$pair: there is no run.json in $run" >&2
    exit 2
  fi
  keep "$run" "$reference/$device/$name"
  case $name in
    paper-fse17/ours) draw "$run" fse17_fig5 fse17_fig6_pairs ;;
    paper-oopsla16)
      beside=$reference/pocl-3.1/discover draw "$run" fig7 fig8
      draw "$run" fig9 fig10 fig11
      ;;
    discover-beside) into=$reference/$device/$name draw "$run" beside ;;
    oopsla16-portability) beside=$reference/pocl-3.1/discover draw "$run" fig8 ;;
    paper-so11) draw "$run" fig1 fig2 fig3 ;;
    multitask) into=$reference/$device/$name draw "$run" fse17_fig5 ;;
    paper-klap16) into=$reference/$device/$name draw "$run" klap16_fig{8,9,10,11} klap16_children ;;
    together)
      into=$reference/$device/$name draw "$run" together_stp
      only=$(mktemp -d) # of all pairs, the picture would be too large to keep
      cases_of "$run" 'multitask/together/bfs+*' >"$only/run.json"
      cp "$run/samples.csv" "$only/"
      with_data=1 into=$reference/$device/$name draw "$only" together_share
      rm -r "$only"
      ;;
    table3) draw "$run" fse17_tab3 ;;
    graphics) with_data=1 draw "$run" graphics_search graphics_ecdf ;;
  esac
done
python3 "$root/scripts/papers.py" --root "$root"
