# Draws fig2.svg again: gnuplot fig2.gp
# Or: gnuplot -e "term='png'; out='fig2.png'" fig2.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'fig2.svg'
data = 'fig2.dat'
title = 'Mutexes: lock and unlock'

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
# SO'11 Figs. 1 to 3: operations per second of synchronization primitives against the number of
# workgroups. Each device has a row of panels, and axes of its own; a panel is a length of the
# critical section or an initial value, as the data say. Variables: data, out, term ('svg' or
# 'png'), title. A block of the data is an implementation in a panel of a device; the first line of
# the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
lower(a, b) = b < a ? b : a
higher(a, b) = b > a ? b : a
stats data using 1 name 'device' nooutput
stats data using 2 name 'panel' nooutput
stats data using 3 name 'name' nooutput
blocks = device_blocks
devices = int(device_max) + 1
panels = int(panel_max) + 1
names = int(name_max) + 1
array device[blocks]
array panel[blocks]
array implementation[blocks]
array label[devices]
array panel_title[panels]
array name[names]
array x_min[devices]
array x_max[devices]
array y_min[devices]
array y_max[devices]
do for [d = 1:devices] {
    x_min[d] = 1e300
    x_max[d] = 0
    y_min[d] = 1e300
    y_max[d] = 0
}
titled = 0
do for [i = 1:blocks] {
    stats data index i - 1 using (d = $1 + 1, device[i] = d, p = $2 + 1, panel[i] = p, \
        k = $3 + 1, implementation[i] = k, label[d] = strcol(4), panel_title[p] = strcol(5), \
        name[k] = strcol(6), x_min[d] = lower(x_min[d], $7), x_max[d] = higher(x_max[d], $7), \
        y_min[d] = lower(y_min[d], $9), y_max[d] = higher(y_max[d], $10), 0) nooutput
    titled = titled || strlen(panel_title[panel[i]]) > 0
}

# --- Canvas, in pixels of one 900 wide: a row or more of panels per device, then the legend -------
rows = ceil(panels / 4.0)
columns = ceil(panels / (1.0 * rows))
left_end = 88.0
right_end = 882.0
gap = 14.0
width = (right_end - left_end - (columns - 1) * gap) / columns
plot_height = devices * rows == 1 ? 330.0 : 230.0
above = titled ? 26.0 : 8.0 # a panel: its title
below = 26.0 # a panel: its numbers
row_height = above + plot_height + below
between = 18.0 # two devices
device_height = 24 + rows * row_height + between
legend_width(k) = 66 + 8.2 * strlen(name[k])
array legend_x[names]
array legend_row[names]
legend_rows = 1
x = 0.0
do for [k = 1:names] {
    if (x > 0 && x + legend_width(k) > right_end - 30) {
        x = 0.0
        legend_rows = legend_rows + 1
    }
    legend_x[k] = x
    legend_row[k] = legend_rows
    x = x + legend_width(k)
}
array legend_start[legend_rows] # each row is centred
do for [k = 1:names] {
    legend_start[legend_row[k]] = 455 - (legend_x[k] + legend_width(k)) / 2
}
foot = 41.0 + 22 * legend_rows
height = 44 + devices * device_height - between + foot
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
device_top(d) = height - 44 - (d - 1) * device_height
panel_left(p) = left_end + ((p - 1) % columns) * (width + gap)
panel_top(d, p) = device_top(d) - 24 - floor((p - 1) / columns) * row_height - above

# --- What all panels share ------------------------------------------------------------------------
array colors[8] = ['#1f6fb4', '#d9541e', '#2e8b57', '#8a4fa3', '#b8860b', '#555555', \
    '#c2185b', '#00838f']
array shapes[8] = [7, 5, 9, 13, 11, 6, 4, 8]
color(k) = colors[int(k - 1) % 8 + 1]
shape(k) = shapes[int(k - 1 + floor((k - 1) / 8)) % 8 + 1]
unit(y) = y < 1e3 ? sprintf('%g', y) : y < 1e6 ? sprintf('%g k', y / 1e3) \
    : y < 1e9 ? sprintf('%g M', y / 1e6) : sprintf('%g G', y / 1e9)
small = term eq 'svg' ? ',12' : ',10' # look alike
set border 3 lc rgb '#404040'
set grid xtics ytics lc rgb '#d4d4d4' lw 0.7, lc rgb '#d4d4d4' lw 0
set logscale y 10
unset key

# --- Texts and legend -----------------------------------------------------------------------------
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
set label 'Operations per second (median, quartiles)' \
    at screen at_x(18), screen at_y((foot + height - 44) / 2) center rotate by 90
set label 'Workgroups' at screen at_x((left_end + right_end) / 2), screen at_y(foot - 11) center
cut(s, n) = strlen(s) > n ? s[1:n - 33] . '...' . s[strlen(s) - 29:*] : s
do for [d = 1:devices] {
    set label cut(label[d], 100) at screen at_x(left_end), screen at_y(device_top(d) - 8) left \
        noenhanced
}
do for [k = 1:names] {
    x = legend_start[legend_row[k]] + legend_x[k]
    y = 22.0 * (legend_rows - legend_row[k]) + 16
    set arrow from screen at_x(x), screen at_y(y) to screen at_x(x + 40), screen at_y(y) nohead \
        lc rgb color(k) lw 1.6
    set label '' at screen at_x(x + 20), screen at_y(y) point pt shape(k) ps 0.7 lc rgb color(k)
    set label name[k] at screen at_x(x + 47), screen at_y(y) left noenhanced
}

# --- The panels -----------------------------------------------------------------------------------
told(unused) = strcol(6) . (strcol(5) eq '' ? '' : ', ' . strcol(5)) . "\n" \
    . tip_rates(8, 9, 10, 'ops/s') . "\n" . tip_groups($7)
tips = tip_layer('for [m in members] data index int(m) - 1 using 7:8:(told(0))')

set multiplot
do for [d = 1:devices] {
    span_y = log10(y_max[d] / y_min[d])
    room = higher(0.03 + 0.04 * span_y, (0.8 - span_y) / 2) # for two names of levels
    set yrange [y_min[d] / 10 ** room:y_max[d] * 10 ** room]
    unset logscale x
    set xtics nomirror autofreq font small
    log_x = x_max[d] > 10 * x_min[d]
    span_x = log10(x_max[d] / x_min[d])
    if (log_x) {
        set xtics ('' 1)
        do for [e = 0:6] {
            do for [m = 1:9] { # a short axis also names 2 and 5
                value = m * 10.0 ** e
                level = m > 1 && (span_x >= 2 || (m != 2 && m != 5))
                text = level ? '' : sprintf('%g', value)
                set xtics add (text value level)
            }
        }
        set logscale x 10
        set xrange [x_min[d] / 10 ** (0.04 * span_x):x_max[d] * 10 ** (0.06 * span_x)]
    } else {
        if (x_max[d] < 12) { # never between two numbers of workgroups
            set xtics x_max[d] > 4 && columns > 3 ? 2 : 1
        }
        set xrange [0:x_max[d] * 1.08]
    }
    named_row = -1 # the levels have names at the first panel of a row
    do for [p = 1:panels] {
        members = ''
        do for [i = 1:blocks] {
            if (device[i] == d && panel[i] == p) {
                members = members . sprintf(' %d', i)
            }
        }
        if (members ne '') {
            row = floor((p - 1) / columns)
            set ytics nomirror ('' 1) font small
            do for [e = -2:12] {
                do for [m = 1:9] { # a short axis also names 2 and 5
                    value = m * 10.0 ** e
                    level = m > 1 && (span_y + 2 * room >= 2.6 || (m != 2 && m != 5))
                    text = level || row == named_row ? '' : unit(value)
                    set ytics add (text value level)
                }
            }
            named_row = row
            set lmargin at screen at_x(panel_left(p))
            set rmargin at screen at_x(panel_left(p) + width)
            set tmargin at screen at_y(panel_top(d, p))
            set bmargin at screen at_y(panel_top(d, p) - plot_height)
            if (strlen(panel_title[p]) > 0) {
                set label panel_title[p] at graph 0.5, screen at_y(panel_top(d, p) + 12) center \
                    font small noenhanced
            }
            plot for [m in members] data index int(m) - 1 \
                    using 7:9:(0):($10 > $9 ? $10 - $9 : NaN) \
                    with vectors heads size screen 0.003, 90 lw 1 \
                    lc rgb color(implementation[int(m)]), \
                for [m in members] data index int(m) - 1 using 7:8 with linespoints \
                    lc rgb color(implementation[int(m)]) lw 1.6 \
                    pt shape(implementation[int(m)]) ps 0.7 @tips
            unset label # they need no second drawing
            unset arrow
        }
    }
}
unset multiplot
