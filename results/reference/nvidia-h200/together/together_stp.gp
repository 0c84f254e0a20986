# Draws together_stp.svg again: gnuplot together_stp.gp
# Or: gnuplot -e "term='png'; out='together_stp.png'" together_stp.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'together_stp.svg'
data = 'together_stp.dat'
title = 'Two apps in one megakernel: what they do, 1 as much as one after the other (STP)'

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
# What two apps in one megakernel do together: a square for each pair, by its system throughput (1:
# as much as one after the other). Each device and policy has a panel. Variables: data, out, term
# ('svg' or 'png'), title. A block of the data is a panel; the first line of the data names the
# columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
higher(a, b) = b > a ? b : a
stats data using 1 name 'panel' nooutput
panels = panel_blocks
array label[panels]
array apps[panels]
longest = 0
do for [i = 1:panels] {
    apps[i] = 1
    stats data index i - 1 using (label[i] = strcol(3), \
        apps[i] = higher(apps[i], higher($1, $2) + 1), \
        longest = higher(longest, higher(strlen(strcol(4)), strlen(strcol(5)))), 0) nooutput
}

# --- Canvas, in pixels of one 900 wide ------------------------------------------------------------
square = 54.0
left_end = 40 + 7.5 * longest
above = 34.0
below = 24 + 7.0 * longest
height = 44
do for [i = 1:panels] {
    height = height + above + square * higher(apps[i], 2) + below
}
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

# --- What all panels share ------------------------------------------------------------------------
small = term eq 'svg' ? ',12' : ',10' # look alike
set border 0
set tics scale 0 font small noenhanced
unset key
unset colorbox
# 1 is white: less is a loss, more a gain
set palette defined (0 '#d9541e', 1 '#ffffff', 2 '#1f6fb4')
set cbrange [0:2]
cut(s, n) = strlen(s) > n ? s[1:n - 18] . '...' . s[strlen(s) - 14:*] : s
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
told(unused) = strcol(4) . ' and ' . strcol(5) . "\nSTP " . sprintf('%.3g', $6) . ', fairness ' \
    . sprintf('%.3g', $7) . "\n" . sprintf('%g + %g workgroups', $8, $9)
tips = tip_layer('data index i - 1 using 1:2:(told(0))')

# --- The panels -----------------------------------------------------------------------------------
set multiplot
top = height - 44
do for [i = 1:panels] {
    n = higher(apps[i], 2)
    upper = top - above
    set label 100 cut(label[i], 100) at screen at_x(14), screen at_y(top - 16) left noenhanced
    set lmargin at screen at_x(left_end)
    set rmargin at screen at_x(left_end + square * n)
    set tmargin at screen at_y(upper)
    set bmargin at screen at_y(upper - square * n)
    set xrange [-0.5:n - 0.5]
    set yrange [n - 0.5:-0.5]
    set xtics rotate by 90 right noenhanced ()
    set ytics noenhanced ()
    plot data index i - 1 using 1:2:(0.49):(0.49):6 with boxxyerror fillstyle solid 1 noborder \
            linecolor palette, \
        data index i - 1 using 2:1:(0.49):(0.49):6 with boxxyerror fillstyle solid 1 noborder \
            linecolor palette, \
        data index i - 1 using 1:2:(sprintf('%.2f', $6)):xtic(4):ytic(5) with labels font small, \
        data index i - 1 using 2:1:(sprintf('%.2f', $6)):xtic(5):ytic(4) with labels font small \
            @tips
    unset label
    top = upper - square * n - below
}
unset multiplot
