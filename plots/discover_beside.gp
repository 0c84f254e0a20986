# SPDX-License-Identifier: Apache-2.0
#
# How many workgroups run at once beside neighbours of ours (--beside), as a share of those that do
# alone. Variables: data, out, term ('svg' or 'png'), title. A block of the data is what was beside,
# the first one: nothing; a row is a device's configuration; the first line of the data names the
# columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
known(c) = tip_known(c) ? column(c) : 0 # a NaN would hide its row from stats
higher(a, b) = b > a ? b : a
percent(c) = 100 * column(c) / $6
highest = 100.0
bounds = 0 # rows that have one
safe = 0
share = 0
last_slot = 0
stats data using (top = 100 * higher(known(7), known(10)) / $6, highest = higher(highest, top), \
    bounds = bounds + (known(7) > 0), safe = safe + tip_known(11), \
    share = higher(share, known(12)), last_slot = higher(last_slot, $1), $2) nooutput
neighbours = STATS_blocks
rows = STATS_records
array name[neighbours]
short(s) = strlen(s) > 40 ? s[1:25] . '...' . s[strlen(s) - 11:*] : s
longest = 0
do for [i = 1:neighbours] {
    stats data index i - 1 using (name[i] = short(strcol(5)), $2) nooutput
    longest = higher(longest, strlen(name[i]))
}
bar = 0.84 / neighbours
left(i) = -0.42 + bar * (i - 1)

# --- Canvas: wider for many bars ------------------------------------------------------------------
canvas = higher(900, 34 * neighbours * (last_slot + 1))
if (term eq 'svg') {
    set terminal svg size canvas,520 dynamic background 'white' font 'sans-serif,13'
} else {
    if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
        set terminal pngcairo size 2 * canvas,1040 background 'white' font 'Sans,11' \
            fontscale 2 linewidth 2 pointscale 2
    } else {
        set terminal png size canvas,520 background 'white' medium
    }
}
set output out

# --- Names of devices, below their configurations -------------------------------------------------
array device[last_slot + 2]
do for [s = 1:last_slot + 2] {
    device[s] = ''
}
stats data index 0 using (device[int($1) + 1] = strcol(3), $1) nooutput
before = ''
first = 0
do for [s = 0:last_slot + 1] {
    now = device[int(s) + 1]
    if (before ne '' && now ne before) {
        set label before at (first + s - 1) / 2.0, screen 0.075 center noenhanced
    }
    if (now ne before) {
        first = s
    }
    before = now
}
set label 'Work-items in a workgroup, or microbenchmark; below it, the workgroups that are 100 %' \
    at graph 0.5, screen 0.028 center font ',10' tc rgb '#606060' noenhanced

# --- Axes -----------------------------------------------------------------------------------------
set yrange [0:highest * 1.12]
set xrange [-0.7:last_slot + 0.7]
set ytics nomirror format '%g'
set xtics nomirror scale 0 noenhanced
set ylabel '% of the workgroups that run at once alone'
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7
set title title noenhanced font ',14' offset 0, 2.6
set tmargin 6
set bmargin 6.5
keys = floor(110.0 / (longest + 8)) # of the legend, in a line
set key at graph 0.5, graph 1.02 center bottom horizontal reverse Left samplen 1.5 width 1 \
    maxcols higher(keys, 2) noenhanced

# --- Bars: the bound; points: what was found; strokes: what is safe -------------------------------
array colors[8] = ['#9a9a9a', '#2b83ba', '#e08a3c', '#5aa469', '#a079b8', '#c9a227', '#c2588a', \
    '#4aa3a8']
color(i) = colors[(i - 1) % 8 + 1]
middle(i) = left(i) + bar * 0.46
told(i) = name[i] . ', ' . strcol(4) . "\n" . tip_if(7, 'bound: ' . tip_groups(tip_value(7)) . "\n") \
    . tip_if(8, sprintf("found: %.6g (%.6g to %.6g)\n", tip_value(8), tip_value(9), tip_value(10))) \
    . tip_if(11, sprintf("safe: %.6g in %.6g %% of launches\n", tip_value(11), 100 * tip_value(12))) \
    . sprintf('alone: %.6g', $6)
place(c) = tip_known(c) ? 100 * column(c) / $6 : 0
tips = tip_layer('for [i = 1:neighbours] data index i - 1 using ($1 + middle(i)):(higher(place(7), place(8))):(told(i))')
many = rows > 40 # so many numbers would run into each other
number(i) = many || !tip_known(7) ? '' : sprintf('%.6g', column(7))
plot 100 with lines lc rgb '#909090' dt 2 lw 1 notitle, \
    for [i = 1:neighbours] data index i - 1 using ($1 + middle(i)):(percent(7)): \
        ($1 + left(i)):($1 + left(i) + bar * 0.92):(0):(percent(7)) \
        with boxxyerror fs solid 0.75 noborder lc rgb color(i) title name[i], \
    for [i = 1:neighbours] data index i - 1 using ($1 + middle(i)):(percent(9)):(0): \
        (percent(10) - percent(9)) \
        with vectors heads size screen 0.004, 90 lw 1.2 lc rgb '#202020' notitle, \
    for [i = 1:neighbours] data index i - 1 using ($1 + middle(i)):(percent(8)) \
        with points pt 7 ps 0.6 lc rgb '#202020' \
        title (i == 1 ? 'found: median, range' : ''), \
    for [i = 1:neighbours] data index i - 1 using ($1 + left(i)):(percent(11)):(bar * 0.92):(0) \
        with vectors nohead lw 3 lc rgb '#b00020' \
        title (i == 1 && safe > 0 ? sprintf('safe in %.6g %% of launches', 100 * share) : ''), \
    for [i = 1:neighbours] data index i - 1 using ($1 + middle(i)): \
        (higher(place(7), place(10)) + highest * 0.035):(number(i)) \
        with labels center font ',9' notitle, \
    data index 0 using 1:(NaN):xtic(strcol(4) . "\n" . sprintf('%.6g', $6)) with points notitle @tips
