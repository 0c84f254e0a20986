# Draws klap16_fig9.svg again: gnuplot klap16_fig9.gp
# Or: gnuplot -e "term='png'; out='klap16_fig9.png'" klap16_fig9.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'klap16_fig9.svg'
data = 'klap16_fig9.dat'
title = 'Where launches of children spend their time'

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
# KLAP'16 Fig. 9: parts of the time of the longest round of programs whose work-items launch children, by each launcher;
# 1 is the time of each launch on its own. Each device and size of inputs has a panel, and a program
# has a group of stacked bars. Variables: data, out, term ('svg' or 'png'), title. A block of the
# data is a panel; the first line of the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
higher(a, b) = b > a ? b : a
stats data using 1 name 'panel' nooutput
panels = panel_blocks
array label[panels]
array groups[panels]
array most[panels]
array present[6] # launchers
array slot[6]
do for [k = 1:6] {
    present[k] = 0
}
longest = 0 # name of a launcher, in characters
most_groups = 1
do for [i = 1:panels] {
    groups[i] = 0
    most[i] = 1.0
    stats data index i - 1 using (groups[i] = higher(groups[i], $2 + 1), \
        present[int($3) + 1] = 1, label[i] = strcol(4), \
        longest = higher(longest, strlen(strcol(6))), \
        most[i] = higher(most[i], $8 + $9 + $10 + $11), 0) nooutput
    most_groups = higher(most_groups, groups[i])
}
slots = 0
do for [k = 1:6] {
    slot[k] = slots
    slots = slots + present[k]
}
gap = 1.0

# --- Canvas, in pixels of one 900 wide: a panel for each device and size, then the legend ---------
left_end = 74.0
right_end = 882.0
plot_height = 210.0
above = 28.0 # a panel: its device and size
below = 36 + 6.2 * longest # a panel: names of the launchers, upright, and of the groups
panel_height = above + plot_height + below
foot = 38.0
height = 44 + panels * panel_height + foot
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
top(i) = height - 44 - (i - 1) * panel_height

# --- What all panels share ------------------------------------------------------------------------
array colors[4] = ['#1f6fb4', '#b8860b', '#d9541e', '#2e8b57']
array part[4] = ['parents', 'aggregation', 'launches', 'work of children']
array legend_x[4] = [210.0, 310.0, 435.0, 545.0]
small = term eq 'svg' ? ',12' : ',10' # look alike
tiny = term eq 'svg' ? ',10' : ',8'
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7
unset key
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
set label 'Time : each launch on its own' \
    at screen at_x(18), screen at_y((foot + height - 44) / 2) center rotate by 90
cut(s, n) = strlen(s) > n ? s[1:n - 33] . '...' . s[strlen(s) - 29:*] : s
do for [i = 1:panels] {
    set label cut(label[i], 100) at screen at_x(left_end), screen at_y(top(i) - 14) left noenhanced
}
do for [k = 1:4] {
    set label '' at screen at_x(legend_x[k]), screen at_y(16) point pt 5 ps 1.4 lc rgb colors[k]
    set label part[k] at screen at_x(legend_x[k] + 15), screen at_y(16) left noenhanced
}

# --- The panels -----------------------------------------------------------------------------------
begin(unused) = $2 * (slots + gap) + slot[int($3) + 1]
# The upper end of so many parts.
stacked(n) = (n > 0 ? $8 : 0) + (n > 1 ? $9 : 0) + (n > 2 ? $10 : 0) + (n > 3 ? $11 : 0)
# Of the bars of a group, the first one has its name.
name_once(unused) = $3 > 0 ? '' : strcol(5)
# What a bar says of itself.
told_part(n) = part[n] . ': ' . tip_time(column(7 + n) * $12)
told(unused) = strcol(5) . ', ' . strcol(7) . "\n" . told_part(1) . "\n" . told_part(2) . "\n" \
    . told_part(3) . "\n" . told_part(4)
tips = tip_layer('data index i - 1 using (begin(0) + 0.45):(stacked(4)):(told(0))')

set multiplot
do for [i = 1:panels] {
    set lmargin at screen at_x(left_end)
    set rmargin at screen at_x(right_end)
    set tmargin at screen at_y(top(i) - above)
    set bmargin at screen at_y(top(i) - above - plot_height)
    set yrange [0:most[i] * 1.05]
    set ytics nomirror font small
    # few bars are not as wide as the panel
    set xrange [-gap:higher(groups[i] * (slots + gap), 24)]
    set xtics nomirror rotate by 90 right font tiny noenhanced scale 0
    plot for [n = 1:4] data index i - 1 using (begin(0) + 0.45):(stacked(n)):(begin(0)): \
            (begin(0) + 0.9):(stacked(n - 1)):(stacked(n)):xtic(6) \
            with boxxyerror fillstyle solid 1 noborder linecolor rgb colors[n], \
        data index i - 1 using ($2 * (slots + gap) + slots / 2.0):(0):(name_once(0)) \
            with labels center font small noenhanced offset screen 0, screen at_y(22 - below) @tips
    unset label # they need no second drawing
}
unset multiplot
