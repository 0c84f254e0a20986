# Draws fig10.svg again: gnuplot fig10.gp
# Or: gnuplot -e "term='png'; out='fig10.png'" fig10.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'fig10.svg'
data = 'fig10.dat'
title = 'Finding out how many workgroups run at once against knowing it'

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
# OOPSLA'16 Figs. 9 and 10: a ratio of two execution modes, for each pair of an app and an input.
# Each device has a panel, a bar from 1 to the ratio for each pair, and their geometric mean,
# median, maximum and minimum. Variables: data, out, term ('svg' or 'png'), title. A block of the
# data is a device; the first line of the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
lower(a, b) = b < a ? b : a
higher(a, b) = b > a ? b : a
stats data using 2 name 'pair' nooutput
devices = pair_blocks
array label[devices]
array summary[devices]
array pairs[devices]
ratio_name = ''
least = 1.0
most = 1.0
longest = 0 # name of a pair, in characters
do for [i = 1:devices] {
    pairs[i] = 0
    stats data index i - 1 using (pairs[i] = higher(pairs[i], $2 + 1), label[i] = strcol(3), \
        longest = higher(longest, strlen(strcol(4))), ratio_name = strcol(5), \
        least = lower(least, $6), most = higher(most, $6), \
        summary[i] = sprintf('geometric mean %.2f, median %.2f, maximum %.2f, minimum %.2f', \
            $7, $8, $9, $10), 0) nooutput
}

# --- Canvas, in pixels of one 900 wide: a panel per device ----------------------------------------
left_end = 74.0
right_end = 882.0
plot_height = 230.0
above = 30.0            # a panel: its device and summary
below = 16 + 4.6 * longest # a panel: names of the pairs, aslant
panel_height = above + plot_height + below
height = 44 + devices * panel_height + 8
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
small = term eq 'svg' ? ',12' : ',10' # look alike
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7
unset key
set logscale y 2
span = higher(log(most / least) / log(2), 0.6)
low = least / 2 ** (0.06 * span)
high = most * 2 ** (0.14 * span) # room for the number of the highest bar
set yrange [low:high]
# A long axis has powers of two and the middles between them, a short one equal steps.
set ytics nomirror ('' 1) font small
if (span > 1.6) {
    do for [k = floor(log(low) / log(2)):ceil(log(high) / log(2))] {
        set ytics add (sprintf('%g', 2.0 ** k) 2.0 ** k)
        set ytics add ((span > 4 ? '' : sprintf('%g', 1.5 * 2.0 ** k)) 1.5 * 2.0 ** k)
    }
} else {
    step = span > 0.8 ? 0.2 : 0.1
    do for [k = ceil(low / step):floor(high / step)] {
        set ytics add (sprintf('%g', k * step) k * step)
    }
}
set arrow from graph 0, first 1 to graph 1, first 1 nohead front lc rgb '#606060' lw 1.2

set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
set label ratio_name at screen at_x(18), screen at_y((height - 36) / 2) center rotate by 90
cut(s, n) = strlen(s) > n ? s[1:n - 18] . '...' . s[strlen(s) - 14:*] : s
do for [i = 1:devices] {
    set label cut(label[i], 56) at screen at_x(left_end), screen at_y(top(i) - 14) left noenhanced
    set label summary[i] at screen at_x(right_end), screen at_y(top(i) - 14) right font small
}

# --- The panels -----------------------------------------------------------------------------------
# What a bar says of itself.
told(unused) = strcol(4) . "\n" . tip_named(strcol(5), sprintf('%.3g', tip_value(6)))
tips = tip_layer('data index i - 1 using 2:(tip_value(6)):(told(0))')

set multiplot
do for [i = 1:devices] {
    set lmargin at screen at_x(left_end)
    set rmargin at screen at_x(right_end)
    set tmargin at screen at_y(top(i) - above)
    set bmargin at screen at_y(top(i) - above - plot_height)
    set xrange [-0.7:higher(pairs[i], 6) - 0.3] # few bars are not as wide as the panel
    set xtics nomirror rotate by 30 right font small noenhanced scale 0
    plot data index i - 1 using 2:6:($2 - 0.32):($2 + 0.32):(lower(1, $6)):(higher(1, $6)):xtic(4) \
            with boxxyerror fillstyle solid 1 noborder linecolor rgb '#5b93c7', \
        data index i - 1 using 2:(higher(1, $6)):(sprintf('%.2f', $6)) \
            with labels offset 0, 0.6 font small @tips
    unset label # they need no second drawing
}
unset multiplot
