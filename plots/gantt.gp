# SPDX-License-Identifier: Apache-2.0
#
# FSE'17 Fig. 1: what each workgroup does over time, and below it how many are active in the
# cooperative kernel. Variables: data, out, term ('svg' or 'png'), title. The data are three blocks
# (runtime/trace/trace.h): bars, active workgroups, instants; the first line of each names the
# columns. Of a trace that is much longer than its first task, that task is shown with what is
# around it.

set encoding utf8
set datafile separator tab

# Kinds of bars in the order of drawing: waits, and children meanwhile, lie upon the cooperative
# kernel.
kinds = 6
array color[kinds] = ['#9ecae1', '#1f6fb4', '#d9541e', '#fdd0a2', '#807dba', '#31a354']
array name[kinds] = ['cooperative kernel', 'waits at a barrier', 'task', 'waits for the task', \
    'waits for children', 'child']
array mark_name[2] = ['kill', 'fork, join']
array mark_color[2] = ['#a50f15', '#006d2c']
array mark_shape[2] = [2, 9]

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
higher(a, b) = b > a ? b : a
lower(a, b) = b < a ? b : a
array bars[kinds]
array marks[2]
do for [k = 1:kinds] {
    bars[k] = 0
}
do for [k = 1:2] {
    marks[k] = 0
}
from = 0.0
end = 0.0
given_up = 1e300 # when the first workgroup began a task, or to wait for one
stats data index 0 using (end = higher(end, $3), \
    given_up = $4 == 2 || $4 == 3 ? lower(given_up, $2) : given_up, $1) nooutput
slots = int(STATS_max) + 1
stats data index 1 using (end = higher(end, $1), $2) nooutput
most = STATS_max
stats data using (0.0) name 'all' nooutput
marked = all_blocks > 2

# --- Which time is shown --------------------------------------------------------------------------
# The first task is over when the kernel gets workgroups back after some have run a task.
done = 1e300 # the first end of a workgroup's share of a task
stats data index 0 using (done = $4 == 2 ? lower(done, $3) : done, 0) nooutput
back = 1e300
if (marked) {
    stats data index 2 using (back = $3 == 1 && $1 >= done ? lower(back, $1) : back, 0) nooutput
}
if (back < end && end > 2 * (back - given_up)) {
    context = 0.3 * (back - given_up)
    from = higher(0, given_up - context)
    end = lower(end, back + context)
}
stats data index 0 using (k = int($4) + 1, bars[k] = bars[k] + ($2 <= end && $3 >= from), 0) \
    nooutput
if (marked) {
    stats data index 2 using (k = int($3) + 1, marks[k] = marks[k] + ($1 >= from && $1 <= end), 0) \
        nooutput
}

# Too many marks would hide the bars, which end and begin there anyway.
if (marks[1] + marks[2] > 400) {
    marks[1] = 0
    marks[2] = 0
}

# --- Canvas, in pixels of one 900 wide: bars, active workgroups, legend ---------------------------
row = slots <= 8 ? 26.0 : slots <= 32 ? 14.0 : slots <= 64 ? 9.0 : higher(1.5, 560.0 / slots)
bars_height = higher(100.0, slots * row)
count_height = 90.0
gap = 14.0
width(text) = 44 + 7.2 * strlen(text)
bars_legend = 0.0
do for [k = 1:kinds] {
    bars_legend = bars_legend + (bars[k] > 0 ? width(name[k]) : 0)
}
marks_legend = 0.0
do for [k = 1:2] {
    marks_legend = marks_legend + (marks[k] > 0 ? width(mark_name[k]) : 0)
}
two_lines = bars_legend + marks_legend > 880
foot = two_lines ? 88.0 : 70.0
head = 40.0
height = head + bars_height + gap + count_height + foot
if (term eq 'svg') {
    set terminal svg size 900,height dynamic background 'white' font 'sans-serif,13'
} else {
    if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
        set terminal pngcairo size 1800,2 * height background 'white' font 'Sans,11' \
            fontscale 2 linewidth 2 pointscale 2
    } else {
        set terminal png size 900,height background 'white' medium
    }
}
set output out
at_x(pixels) = pixels / 900.0
at_y(pixels) = pixels / (1.0 * height) # from the bottom
small = term eq 'svg' ? ',12' : ',10' # look alike

# --- Title and legend -----------------------------------------------------------------------------
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
x = 455 - (two_lines ? bars_legend : bars_legend + marks_legend) / 2
y = two_lines ? 33 : 15
do for [k = 1:kinds] {
    if (bars[k] > 0) {
        set object rectangle from screen at_x(x), screen at_y(y - 6) \
            to screen at_x(x + 18), screen at_y(y + 6) fs solid 1 noborder fc rgb color[k]
        set label name[k] at screen at_x(x + 24), screen at_y(y) left font small
        x = x + width(name[k])
    }
}
if (two_lines) {
    x = 455 - marks_legend / 2
    y = 15
}
do for [k = 1:2] {
    if (marks[k] > 0) {
        set label '' at screen at_x(x + 10), screen at_y(y) \
            point pt mark_shape[k] ps 0.8 lc rgb mark_color[k]
        set label mark_name[k] at screen at_x(x + 24), screen at_y(y) left font small
        x = x + width(mark_name[k])
    }
}

# --- Bars -----------------------------------------------------------------------------------------
# Few workgroups have space between them. Many have none: there, bars overlap a little, or the seams
# of their antialiased edges would show.
half = slots <= 64 ? 0.4 : 0.5 + 0.15 / row
mark_size = row > 10 ? 0.8 : 0.35
# Of a bar, while there are few enough to be pointed at.
told(unused) = name[$4 + 1] . sprintf(' in workgroup %d, ', $1) . tip_time(($3 - $2) * 1e6) \
    . sprintf(' from %.4g ms on', $2)
middle(unused) = (start($2) + stop($3)) / 2
bars_tips = all_records > 3000 ? '' \
    : tip_layer('data index 0 using (middle(0)):(is_seen($2, $3) ? $1 : -9):(told(0))')
active_tips = all_records > 3000 ? '' \
    : tip_layer("data index 1 using 1:2:(tip_groups($2) . sprintf(' active at %.4g ms', $1))")

set multiplot
set border 3 lc rgb '#404040'
set grid xtics lc rgb '#d4d4d4' lw 0.7
set lmargin at screen at_x(76.0)
set rmargin at screen at_x(876.0)
set xrange [from:end > from ? end : from + 1]
set tmargin at screen at_y(height - head)
set bmargin at screen at_y(foot + count_height + gap)
set xtics nomirror format '' font small
set yrange [-0.6:slots - 0.4]
set ytics nomirror font small
if (slots <= 16) {
    set ytics 1
}
set ylabel 'Workgroup'
set key off
start(t) = higher(t, from)
stop(t) = lower(t, end)
is_seen(a, b) = b >= from && a <= end
plot for [k = 1:kinds] data index 0 using ((start($2) + stop($3)) / 2): \
        ($4 == k - 1 && is_seen($2, $3) ? $1 : NaN):(start($2)):(stop($3)): \
        ($1 - half):($1 + half) with boxxyerror fs solid 1 noborder fc rgb color[k], \
    for [k = 1:(marks[1] + marks[2] > 0 ? 2 : 0)] data index 2 using 1:($3 == k - 1 ? $2 : NaN) \
        with points pt mark_shape[k] ps mark_size lw 1.2 lc rgb mark_color[k] @bars_tips
unset label # they need no second drawing
unset object

# --- Active workgroups ----------------------------------------------------------------------------
set tmargin at screen at_y(foot + count_height)
set bmargin at screen at_y(foot)
set xtics nomirror format '%g' font small
set xlabel 'Time (ms)' offset 0, 0.4
set yrange [0:most * 1.15 + 0.1]
decade = 10 ** floor(log10(higher(most, 4) / 4.0))
first = higher(most, 4) / 4.0 / decade
step = decade * (first > 5 ? 10 : first > 2 ? 5 : first > 1 ? 2 : 1)
set ytics nomirror step font small
set ylabel 'Active'
plot data index 1 using 1:2 with fillsteps fs solid 0.35 noborder fc rgb color[1], \
    data index 1 using 1:2 with steps lw 1.6 lc rgb color[2] @active_tips
unset multiplot
