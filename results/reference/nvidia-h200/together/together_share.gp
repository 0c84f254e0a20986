# Draws together_share.svg again: gnuplot together_share.gp
# Or: gnuplot -e "term='png'; out='together_share.png'" together_share.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'together_share.svg'
data = 'together_share.dat'
title = 'Two apps in one megakernel: workgroups over time, as policies share them out'

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
# How policies share the workgroups of a megakernel out between two apps, from when both have begun:
# each pair has a panel, and each policy a line, the workgroups of the first app; the second has the
# rest. Variables: data, out, term ('svg' or 'png'), title. A block of the data is a line; the first
# line of the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
higher(a, b) = b > a ? b : a
stats data using 1 name 'panel' nooutput
lines = panel_blocks
panels = int(panel_max) + 1
array panel_of[lines] # from 0
array number[lines]
array policy[lines]
array label[panels]
array app[panels]
array beside[panels]
array workers[panels]
array seconds[panels]
array count[panels] # of lines
do for [p = 1:panels] {
    workers[p] = 1
    seconds[p] = 0
    count[p] = 0
}
do for [i = 1:lines] {
    stats data index i - 1 using (panel_of[i] = int($1), number[i] = int($2), \
        policy[i] = strcol(4), label[panel_of[i] + 1] = strcol(3), app[panel_of[i] + 1] = strcol(5), \
        beside[panel_of[i] + 1] = strcol(6), \
        workers[panel_of[i] + 1] = higher(workers[panel_of[i] + 1], $10), \
        seconds[panel_of[i] + 1] = higher(seconds[panel_of[i] + 1], $7), \
        count[panel_of[i] + 1] = higher(count[panel_of[i] + 1], number[i] + 1), 0) nooutput
}

# --- Canvas, in pixels of one 900 wide: two panels in a row, or one -------------------------------
columns = panels > 1 ? 2 : 1
rows = (panels + columns - 1) / columns
left_end = 64.0
right_end = columns == 1 ? 740.0 : 322.0 # the names of lines come after it
above = 42.0
panel_height = 170.0
below = 52.0
row_height = above + panel_height + below
height = 44 + rows * row_height
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
left(p) = ((p - 1) % columns) * 430.0
top(p) = height - 44 - ((p - 1) / columns) * row_height - above

# --- What all panels share ------------------------------------------------------------------------
small = term eq 'svg' ? ',12' : ',10' # look alike
array colour[6] = ['#1f77b4', '#d55e00', '#009e73', '#cc79a7', '#8c6d1f', '#606060']
# a line is wider than those that come after it, and is seen where they are the same
later(i) = count[panel_of[i] + 1] - 1 - number[i]
width_of(i) = 2 + 1.6 * (later(i) < 4 ? later(i) : 4)
colour_of(i) = colour[1 + number[i] % 6]
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7
set tics nomirror font small
cut(s, n) = strlen(s) > n ? s[1:n - 18] . '...' . s[strlen(s) - 14:*] : s
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
# three to six tics
power_of(x) = 10 ** floor(log10(x / 6))
step(x) = x / power_of(x) <= 12 ? 2 * power_of(x) : x / power_of(x) <= 30 ? 5 * power_of(x) \
    : 10 * power_of(x)
told(unused) = strcol(4) . ' at ' . tip_in($7, 's') . "\n" . strcol(5) . ': ' . tip_groups($8) \
    . ', ' . sprintf('%.4g runs/s', $11) . "\n" . strcol(6) . ': ' . tip_groups($9) . ', ' \
    . sprintf('%.4g runs/s', $12)

# --- The panels -----------------------------------------------------------------------------------
set multiplot
do for [p = 1:panels] {
    set label 100 cut(app[p] . ' beside ' . beside[p] . ': ' . label[p], 110 / columns) \
        at screen at_x(left(p) + 14), screen at_y(top(p) + 24) left noenhanced
    set label 101 'workgroups of ' . app[p] at screen at_x(left(p) + 14), \
        screen at_y(top(p) + 8) left font small noenhanced
    set label 102 's' at screen at_x(left(p) + (left_end + right_end) / 2), \
        screen at_y(top(p) - panel_height - 40) center font small
    set lmargin at screen at_x(left(p) + left_end)
    set rmargin at screen at_x(left(p) + right_end)
    set key at screen at_x(left(p) + right_end + 8), screen at_y(top(p)) left top vertical \
        reverse Left samplen 1.5 font small noenhanced
    set tmargin at screen at_y(top(p))
    set bmargin at screen at_y(top(p) - panel_height)
    until = seconds[p] > 0 ? seconds[p] : 1
    set xrange [0:until]
    set yrange [0:workers[p] * 1.05]
    set xtics 0, step(until)
    set ytics autofreq
    set ytics add (workers[p])
    each = ''
    do for [i = 1:lines] {
        if (panel_of[i] == p - 1) {
            each = each . (each eq '' ? '' : ', ') \
                . sprintf("data index %d using 7:8 with steps lw %g lc rgb '%s' title policy[%d]", \
                    i - 1, width_of(i), colour_of(i), i) \
                . tip_layer(sprintf('data index %d using 7:8:(told(0))', i - 1))
        }
    }
    eval "plot " . each
    unset label # they need no second drawing
}
unset multiplot
