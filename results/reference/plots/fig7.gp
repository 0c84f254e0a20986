# Draws fig7.svg again: gnuplot fig7.gp
# Or: gnuplot -e "term='png'; out='fig7.png'" fig7.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'fig7.svg'
data = 'fig7.dat'
title = 'Discovered occupancy and compute units compared to the occupancy bound'

# SPDX-License-Identifier: Apache-2.0
#
# Comes before every script: texts of points, for a reader who points at them. In SVG only.

# A value with its unit and four digits: "139.2 µs". A script's data have NaN or nan where there is none.
tip_known(c) = strcol(c) ne 'NaN' && strcol(c) ne 'nan' && strcol(c) ne '-nan'
tip_value(c) = tip_known(c) ? column(c) : 1 # points without a place make gnuplot 5.4 crash
tip_in(v, unit) = abs(v) >= 999.95e6 ? sprintf('%.4g G', v / 1e9) . unit \
    : abs(v) >= 999.95e3 ? sprintf('%.4g M', v / 1e6) . unit \
    : abs(v) >= 999.95 ? sprintf('%.4g k', v / 1e3) . unit \
    : abs(v) >= 0.99995 || v == 0 ? sprintf('%.4g ', v) . unit \
    : abs(v) >= 0.99995e-3 ? sprintf('%.4g m', v * 1e3) . unit \
    : abs(v) >= 0.99995e-6 ? sprintf('%.4g µ', v * 1e6) . unit : sprintf('%.4g n', v * 1e9) . unit
tip_time(ns) = tip_in(ns / 1e9, 's')
tip_groups(n) = sprintf('%.6g workgroup%s', n, n == 1 ? '' : 's')
tip_named(name, text) = (name eq '' ? '' : name . ': ') . text

# Of columns: a time, or a rate; with the two that its quartiles are in.
tip_if(c, text) = tip_known(c) ? text : ''
tip_time_of(c) = tip_known(c) ? tip_time(column(c)) : 'not measured'
tip_times(c, low, high) = tip_time_of(c) . tip_if(low, ' (quartiles ' . tip_time(tip_value(low)) \
    . ' to ' . tip_time(tip_value(high)) . ')')
tip_rates(c, low, high, unit) = tip_in(tip_value(c), unit) . tip_if(low, ' (quartiles ' \
    . tip_in(tip_value(low), unit) . ' to ' . tip_in(tip_value(high), unit) . ')')

# What a plot command ends with, as a macro: points that nobody sees, with these texts.
tip_layer(using) = term eq 'svg' ? ', ' . using \
    . " with labels hypertext point pt 7 ps 1 lc rgb '#ff000000' notitle" : ''

# SPDX-License-Identifier: Apache-2.0
#
# OOPSLA'16 Fig. 7: discovered occupancy as a share of the occupancy bound, per device and
# microbenchmark. Variables: data, out, term ('svg' or 'png'), title. A block of the data is a
# device, a row a microbenchmark; the first line of the data names the columns.

set encoding utf8
set datafile separator tab

# Spin, ticket, lock-free: the column of the mean (the standard deviation follows it).
array percent[3] = [7, 9, 11]
array name[3] = ['spin lock', 'ticket lock', 'lock-free']
array color[3] = ['#c8c8c8', '#707070', '#2b83ba']

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
lowest = 100.0
highest = 100.0
known(c) = strcol(c) eq 'nan' ? 0 : column(c) # a NaN would hide its row from stats
lower(a, b) = b > 0 && b < a ? b : a
higher(a, b) = b > a ? b : a
array bars[3]
do for [p = 1:3] {
    bars[p] = 0
    stats data using (v = known(percent[p]), bars[p] = bars[p] + (v > 0), \
        lowest = lower(lowest, v), highest = higher(highest, v + known(percent[p] + 1)), 0) nooutput
}
stats data using (lowest = lower(lowest, known(6)), highest = higher(highest, known(6)), $1) \
    nooutput
devices = STATS_blocks
last_slot = STATS_max

decade = 10 ** floor(log10(lowest * 0.7))
bottom = lowest * 0.7 > 5 * decade ? 5 * decade : decade

# Protocols that were not measured get no room: the others share a slot of 0.84.
drawn = 0
array place[3]
do for [p = 1:3] {
    drawn = drawn + (bars[p] > 0)
    place[p] = drawn
}
bar = 0.84 / drawn
left(p) = -0.42 + bar * (place[p] - 1)

# --- Canvas: wider for many devices ---------------------------------------------------------------
canvas = higher(900, 165 * devices)
if (term eq 'svg') {
    set terminal svg size canvas,500 dynamic background 'white' font 'sans-serif,13'
} else {
    if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
        set terminal pngcairo size 2 * canvas,1000 background 'white' font 'Sans,11' \
            fontscale 2 linewidth 2 pointscale 2
    } else {
        set terminal png size canvas,500 background 'white' medium
    }
}
set output out
small = devices > 5 ? ',10' : ''

# --- Device names, in lines that fit their cluster ------------------------------------------------
space_before(s, at) = at < 2 ? 0 : s[at:at] eq ' ' ? at : space_before(s, at - 1)
at_space(s, at, n) = s[1:at - 1] . "\n" . wrap(s[at + 1:*], n)
in_word(s, n) = s[1:n] . "\n" . wrap(s[n + 1:*], n)
wrap(s, n) = strlen(s) <= n ? s \
    : space_before(s, n + 1) ? at_space(s, space_before(s, n + 1), n) : in_word(s, n)
lines(s) = strstrt(s, "\n") ? 1 + lines(s[strstrt(s, "\n") + 1:*]) : 1
width = higher(18, 100 / devices - 2)
most_lines = 1
do for [i = 0:devices - 1] {
    stats data index i using (label = strcol(2), delays = strcol(13), $1) nooutput
    label = wrap(label, width)
    middle = (STATS_min + STATS_max) / 2
    set label label at middle, bottom center offset 0, -2.2 font small noenhanced
    if (delays ne '') { # below the name: the one of several delays that is drawn
        set label 'locks: ' . delays at middle, bottom center offset 0, -2.2 - lines(label) \
            font ',10' tc rgb '#606060' noenhanced
    }
    most_lines = higher(most_lines, lines(label) + (delays ne ''))
}
set bmargin 3.6 + most_lines
set label '1st sign: local memory, 1 byte or all (L);  2nd: work-items per group, 1 or all (W)' \
    at graph 0.5, screen 0.03 center font ',10' tc rgb '#606060' noenhanced

# --- Axes -----------------------------------------------------------------------------------------
set logscale y 10
set yrange [bottom:highest * 1.6]
set xrange [-0.8:last_slot + 0.8]
set ytics nomirror format '%g'
set ytics add (50)
set mytics 10
set xtics nomirror scale 0 font small noenhanced
set ylabel '% of occupancy bound'
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7
set title title noenhanced font ',14' offset 0, 1.6
set tmargin 5
set key at graph 0.5, graph 1.02 center bottom horizontal reverse Left samplen 1.5 width 1

# --- Bars, whiskers, compute units ----------------------------------------------------------------
# A whisker below the axis ends at it; a negligible one is not drawn.
foot(mean, d) = d > mean / 200 ? higher(bottom, mean - d) : NaN
told(p) = tip_known(percent[p]) ? name[p] . ', ' . strcol(3) . "\n" . sprintf('recall: %.4g %% ± %.2g %%', \
    column(percent[p]), tip_value(percent[p] + 1)) . "\n" . strcol(2) : ''
tips = tip_layer('for [p = 1:3] data using ($1 + left(p) + bar * 0.46):(tip_value(percent[p])):(told(p))')
plot 100 with lines lc rgb '#909090' dt 2 lw 1 notitle, \
    for [p = 1:3] data using ($1 + left(p) + bar / 2):(column(percent[p])): \
        ($1 + left(p)):($1 + left(p) + bar * 0.92):(bottom):(column(percent[p])) \
        with boxxyerror fs solid 1 noborder lc rgb color[p] \
        title (bars[p] ? name[p] : ''), \
    for [p = 1:3] data using ($1 + left(p) + bar * 0.46): \
        (foot(column(percent[p]), column(percent[p] + 1))):(0): \
        (column(percent[p]) + column(percent[p] + 1) \
            - foot(column(percent[p]), column(percent[p] + 1))) \
        with vectors heads size screen 0.004, 90 lw 1.2 lc rgb '#202020' notitle, \
    data using ($1 - 0.46):6:(0.92):(0) with vectors nohead lw 5 lc rgb 'white' notitle, \
    data using ($1 - 0.46):6:(0.92):(0) with vectors nohead lw 3 lc rgb 'black' \
        title '# compute units', \
    data using 1:(NaN):xtic(3) with points notitle @tips
