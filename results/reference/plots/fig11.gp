# Draws fig11.svg again: gnuplot fig11.gp
# Or: gnuplot -e "term='png'; out='fig11.png'" fig11.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'fig11.svg'
data = 'fig11.dat'
title = 'The price of portability against the time of a run'

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
# OOPSLA'16 Fig. 11: the price of portability against the time of a run in specialised mode. Each
# point is an app with an input, each device has a colour. Variables: data, out, term ('svg' or
# 'png'), title. A block of the data is a device; the first line of the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
lower(a, b) = b < a ? b : a
higher(a, b) = b > a ? b : a
stats data using 5 name 'time' nooutput
stats data using 6 name 'ratio' nooutput
devices = time_blocks
array label[devices]
do for [i = 1:devices] {
    stats data index i - 1 using (label[i] = strcol(3), 0) nooutput
}

# --- Canvas, in pixels of one 900 wide: a panel, then the legend ----------------------------------
plot_height = 380.0
foot = 62.0 + 22 * devices
height = 44 + plot_height + foot
micro = 'µs'
if (term eq 'svg') {
    set terminal svg size 900,height dynamic background 'white' font 'sans-serif,13'
} else {
    if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
        set terminal pngcairo size 1800,2 * height background 'white' font 'Sans,11' \
            fontscale 2 linewidth 2 pointscale 2
    } else {
        set terminal png size 900,height background 'white' medium
        micro = 'us' # its fonts have no µ
    }
}
set output out
at_x(pixels) = pixels / 900.0
at_y(pixels) = pixels / (1.0 * height) # from the bottom
set lmargin at screen at_x(74)
set rmargin at screen at_x(882)
set tmargin at screen at_y(height - 44)
set bmargin at screen at_y(foot)

# --- Axes -----------------------------------------------------------------------------------------
array colors[8] = ['#1f6fb4', '#d9541e', '#2e8b57', '#8a4fa3', '#b8860b', '#555555', \
    '#c2185b', '#00838f']
array shapes[8] = [7, 5, 9, 13, 11, 6, 4, 8]
color(k) = colors[int(k - 1) % 8 + 1]
shape(k) = shapes[int(k - 1) % 8 + 1]
unit(ns) = ns < 1e3 ? sprintf('%g ns', ns) : ns < 1e6 ? sprintf('%g %s', ns / 1e3, micro) \
    : ns < 1e9 ? sprintf('%g ms', ns / 1e6) : sprintf('%g s', ns / 1e9)
small = term eq 'svg' ? ',12' : ',10' # look alike
set border 3 lc rgb '#404040'
set grid xtics ytics lc rgb '#d4d4d4' lw 0.7, lc rgb '#d4d4d4' lw 0
unset key
span_x = higher(log10(time_max / time_min), 0.5)
set logscale x 10
set xrange [time_min / 10 ** (0.1 * span_x):time_max * 10 ** (0.1 * span_x)]
set xtics nomirror ('' 1) font small
do for [e = 0:12] {
    do for [m = 1:9] { # a short axis names some of these, too
        value = m * 10.0 ** e
        minor = m > 1 && (span_x > 2 || (span_x > 0.9 && m != 2 && m != 5))
        set xtics add ((minor ? '' : unit(value)) value minor)
    }
}
low = lower(1, ratio_min)
high = higher(1, ratio_max)
span_y = higher(high - low, 0.1)
set yrange [low - 0.08 * span_y:high + 0.08 * span_y]
set ytics nomirror font small
set arrow from graph 0, first 1 to graph 1, first 1 nohead back lc rgb '#909090' lw 1.4 dt 3

# --- Texts and legend -----------------------------------------------------------------------------
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
set label 'Slowdown by portability' at screen at_x(18), screen at_y(foot + plot_height / 2) center \
    rotate by 90
set label 'Time of a run in specialised mode' at screen at_x(478), screen at_y(foot - 40) center
cut(s, n) = strlen(s) > n ? s[1:n - 18] . '...' . s[strlen(s) - 14:*] : s
do for [i = 1:devices] {
    y = 22.0 * (devices - i) + 12
    set label '' at screen at_x(90), screen at_y(y) point pt shape(i) ps 0.9 lc rgb color(i)
    set label cut(label[i], 100) at screen at_x(104), screen at_y(y) left font small noenhanced
}

# --- The points, with their names if there are few ------------------------------------------------
told(unused) = strcol(4) . "\n" . sprintf('slowdown by portability: %.3g', tip_value(6)) \
    . "\nspecialised: " . tip_time_of(5)
tips = tip_layer('for [i = 1:devices] data index i - 1 using 5:(tip_value(6)):(told(0))')
plot for [i = 1:devices] data index i - 1 using 5:6 with points pt shape(i) ps 0.9 \
        lc rgb color(i), \
    for [i = 1:devices] data index i - 1 using 5:6:(time_records > 14 ? '' : strcol(4)) \
        with labels left offset 0.9, 0 font small tc rgb '#606060' noenhanced @tips
