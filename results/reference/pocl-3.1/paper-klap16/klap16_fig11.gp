# Draws klap16_fig11.svg again: gnuplot klap16_fig11.gp
# Or: gnuplot -e "term='png'; out='klap16_fig11.png'" klap16_fig11.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'klap16_fig11.svg'
data = 'klap16_fig11.dat'
title = 'Steps that run at once, and what they do'

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
# KLAP'16 Fig. 11: how many steps, or workgroups of children, run at once, in each tenth of the time
# from left to right, and how much is done a second, by each launcher. Each device and size of inputs
# has a panel of both, and a program has a group of bars. Variables: data, out, term ('svg' or
# 'png'), title. A block of the data is a panel; the first line of the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
lower(a, b) = b < a ? b : a
higher(a, b) = b > a ? b : a
stats data using 1 name 'panel' nooutput
panels = panel_blocks
array label[panels]
array bars[panels] # the place after the last one
array most[panels]
array least_rate[panels]
array most_rate[panels]
runs = ''
rate_unit = ''
longest = 0 # name of a launcher, in characters
gap = 1.5 # between groups, in bars
place(unused) = $3 + $2 * gap
do for [i = 1:panels] {
    bars[i] = 0
    most[i] = 2.0
    least_rate[i] = 1e99
    most_rate[i] = 0
    stats data index i - 1 using (bars[i] = higher(bars[i], place(0) + 1), label[i] = strcol(5), \
        longest = higher(longest, strlen(strcol(7))), runs = strcol(8), rate_unit = strcol(9), \
        most[i] = higher(most[i], $10), most_rate[i] = higher(most_rate[i], $12), \
        least_rate[i] = lower(least_rate[i], $12), 0) nooutput
}
least = 0.1 # at once: what is less is not seen

# --- Canvas, in pixels of one 1400 wide: for each device and size two plots ------------------------
wide = 1400.0
left_end = 78.0
right_end = wide - 14
plot_height = 170.0
above = 28.0 # a panel: its device and size
between = 16.0
below = 34 + 6.2 * longest # a panel: names of the launchers, upright, and of the groups
panel_height = above + 2 * plot_height + between + below
height = 52 + panels * panel_height
if (term eq 'svg') {
    set terminal svg size wide,height dynamic background 'white' font 'sans-serif,13'
} else {
    if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
        set terminal pngcairo size 2 * wide,2 * height background 'white' font 'Sans,11' \
            fontscale 2 linewidth 2 pointscale 2
    } else {
        set terminal png size wide,height background 'white' medium
    }
}
set output out
at_x(pixels) = pixels / wide
at_y(pixels) = pixels / (1.0 * height) # from the bottom
top(i) = height - 44 - (i - 1) * panel_height

# --- What all panels share ------------------------------------------------------------------------
small = term eq 'svg' ? ',12' : ',10' # look alike
tiny = term eq 'svg' ? ',10' : ',8'
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7
unset key
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
cut(s, n) = strlen(s) > n ? s[1:n - 33] . '...' . s[strlen(s) - 29:*] : s
do for [i = 1:panels] {
    set label cut(label[i], 160) at screen at_x(left_end), screen at_y(top(i) - 14) left noenhanced
}
begin(unused) = place(0) + $4 * 0.09
# Of the bars of a group, the first one has its name.
group = -1
first(unused) = $2 != group ? (group = $2, 1) : 0
share(x) = x < 0.1 ? sprintf('%.1f %%', 100 * x) : sprintf('%.0f %%', 100 * x)
told(unused) = strcol(6) . ', ' . strcol(7) . "\n" . sprintf('%.3g', $11) . ' ' . strcol(8) \
    . " at once\n" . sprintf('%.3g', $12 / 1e6) . ' million ' . strcol(9) . " a second\n" \
    . tip_time($14) . (strlen(strcol(13)) > 0 && $13 == $13 ? "\nwaiting: " . share($13) : '')
# (each bar has ten rows)
tips = tip_layer('data index i - 1 every 10 using (place(0) + 0.45):11:(told(0))')

# --- The panels -----------------------------------------------------------------------------------
set multiplot
do for [i = 1:panels] {
    set lmargin at screen at_x(left_end)
    set rmargin at screen at_x(right_end)
    # few bars are not as wide as the panel
    set xrange [-gap:higher(bars[i] + gap, 30)]
    set logscale y
    set ytics nomirror font small

    upper = top(i) - above
    set tmargin at screen at_y(upper)
    set bmargin at screen at_y(upper - plot_height)
    set ylabel 'at once' offset 1
    set yrange [least:most[i] * 1.6]
    set format y '%g'
    unset xtics
    plot data index i - 1 using (begin(0)):(least):(begin(0)):(begin(0) + 0.09):(least): \
            (higher($10, least)) with boxxyerror fillstyle solid 1 noborder linecolor rgb '#1f6fb4', \
        data index i - 1 every 10 using (place(0)):11:(0.9):(0) \
            with vectors nohead lc rgb '#101010' lw 1 @tips

    unset label # they need no second drawing
    lower_top = upper - plot_height - between
    set tmargin at screen at_y(lower_top)
    set bmargin at screen at_y(lower_top - plot_height)
    set ylabel rate_unit . ' a second' offset 1
    bottom = least_rate[i] / 2
    set yrange [bottom:most_rate[i] * 1.6]
    set format y '%.0s%c'
    set xtics nomirror rotate by 90 right font tiny noenhanced scale 0
    group = -1
    plot data index i - 1 every 10 using (place(0) + 0.45):12:(place(0)):(place(0) + 0.9): \
            (bottom):12:xtic(strcol(7)) \
            with boxxyerror fillstyle solid 1 noborder linecolor rgb '#d9541e', \
        data index i - 1 every 10 using (place(0)):(bottom):(first(0) ? strcol(6) : '') \
            with labels left font small noenhanced offset screen 0, screen at_y(22 - below)
}
unset multiplot
