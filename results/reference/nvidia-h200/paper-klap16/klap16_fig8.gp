# Draws klap16_fig8.svg again: gnuplot klap16_fig8.gp
# Or: gnuplot -e "term='png'; out='klap16_fig8.png'" klap16_fig8.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'klap16_fig8.svg'
data = 'klap16_fig8.dat'
title = 'Launches of children, aggregated'

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
# KLAP'16 Figs. 8 and 10: how many times as fast as its launches as they are written a program is by
# each launcher. Each device and size of inputs has a panel, a program has a group of bars from 1 to
# its ratio, and the last group is the geometric mean; a line across a group is the ratio without
# launches.
# Variables: data, out, term ('svg' or 'png'), title. A block of the data is a panel; the first line
# of the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
lower(a, b) = b < a ? b : a
higher(a, b) = b > a ? b : a
stats data using 1 name 'panel' nooutput
stats data using 2 name 'device' nooutput
stats data using 5 name 'bar' nooutput
panels = panel_blocks
devices = int(device_max) + 1
bars = int(bar_max) + 1
array label[panels]
array device[panels]
array groups[panels]
array name[bars]
array line[bars]
array least[devices]
array most[devices]
do for [d = 1:devices] {
    least[d] = 1.0
    most[d] = 1.0
}
do for [k = 1:bars] {
    name[k] = ''
    line[k] = 0
}
ratio_name = ''
longest = 0 # name of a group, in characters
do for [i = 1:panels] {
    groups[i] = 0
    stats data index i - 1 using (d = $2 + 1, device[i] = d, \
        groups[i] = higher(groups[i], $3 + 1), k = $5 + 1, line[k] = int($6), \
        label[i] = strcol(8), longest = higher(longest, strlen(strcol(9))), name[k] = strcol(10), \
        ratio_name = strcol(12), least[d] = lower(least[d], $13), \
        most[d] = higher(most[d], $13), 0) nooutput
}
# Bars have places, and lines none.
array slot[bars]
slots = 0
do for [k = 1:bars] {
    slot[k] = slots
    slots = slots + (name[k] ne '' && !line[k])
}
most_groups = 1
do for [i = 1:panels] {
    most_groups = higher(most_groups, groups[i])
}
gap = 1.2
wide = 1.7 # a bar of the mean, which has its number
slots = higher(slots, 1)
# Its end; few bars are not as wide as the panel.
axis_end = higher(most_groups * (slots + gap) + (wide - 1) * slots, 24)
axis = axis_end + gap

# --- Canvas, in pixels of one 900 wide: a panel for each device and size, then the legend ---------
left_end = 74.0
right_end = 882.0
plot_height = 200.0
above = 28.0 # a panel: its device and size
aslant = longest * 6.6 > (slots + gap) * (right_end - left_end) / axis
below = aslant ? 14 + 3.4 * longest : 28 # a panel: names of the groups
panel_height = above + plot_height + below
legend_width(k) = name[k] eq '' ? 0 : 44 + 8.2 * strlen(name[k]) + (line[k] ? 110 : 0)
array legend_x[bars]
array legend_row[bars]
legend_rows = 1
x = 0.0
do for [k = 1:bars] {
    if (x > 0 && x + legend_width(k) > right_end - 30) {
        x = 0.0
        legend_rows = legend_rows + 1
    }
    legend_x[k] = x
    legend_row[k] = legend_rows
    x = x + legend_width(k)
}
array legend_start[legend_rows] # each row is centred
do for [k = 1:bars] {
    legend_start[legend_row[k]] = 455 - (legend_x[k] + legend_width(k)) / 2
}
foot = 14.0 + 22 * legend_rows
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
array colors[12] = [0x1f6fb4, 0xd9541e, 0x2e8b57, 0x8a4fa3, 0xb8860b, 0xc2185b, 0x00838f, \
    0x7a7a7a, 0x6fa8dc, 0xe69f7a, 0x7fc29b, 0xb993cc]
color(k) = colors[int(k - 1) % 12 + 1]
small = term eq 'svg' ? ',12' : ',10' # look alike
tiny = term eq 'svg' ? ',10' : ',8'
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7
unset key
set logscale y 10

# --- Texts and legend -----------------------------------------------------------------------------
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
set label ratio_name at screen at_x(18), screen at_y((foot + height - 44) / 2) center rotate by 90
cut(s, n) = strlen(s) > n ? s[1:n - 33] . '...' . s[strlen(s) - 29:*] : s
do for [i = 1:panels] {
    set label cut(label[i], 100) at screen at_x(left_end), screen at_y(top(i) - 14) left noenhanced
}
do for [k = 1:bars] {
    if (name[k] ne '') {
        x = legend_start[legend_row[k]] + legend_x[k]
        y = 22.0 * (legend_rows - legend_row[k]) + 16
        if (line[k]) {
            set arrow from screen at_x(x), screen at_y(y) to screen at_x(x + 22), screen at_y(y) \
                nohead lc rgb 'black' lw 2
        } else {
            set label '' at screen at_x(x + 11), screen at_y(y) point pt 5 ps 1.4 lc rgb color(k)
        }
        set label name[k] . (line[k] ? ': no launches' : '') \
            at screen at_x(x + 28), screen at_y(y) left noenhanced
    }
}

# --- The panels -----------------------------------------------------------------------------------
is_mean(unused) = $4 > 0
is_line(unused) = $6 > 0
# Where a bar begins; the mean is the last group.
group_begin(unused) = $3 * (slots + gap)
bar_width(unused) = is_mean(0) ? wide : 1
bar_begin(unused) = group_begin(0) + bar_width(0) * slot[int($5) + 1]
bar_centre(unused) = bar_begin(0) + bar_width(0) * 0.5
group_width(unused) = bar_width(0) * slots
bar_end(unused) = bar_begin(0) + bar_width(0) * 0.9
bar_ratio(unused) = is_line(0) ? 1 : $13
line_ratio(unused) = is_line(0) ? $13 : 1
line_width(unused) = is_line(0) ? group_width(0) + 0.5 : 0
number(unused) = is_mean(0) && !is_line(0) ? sprintf(' %.3g', $13) : ''
# What a bar says of itself.
told(unused) = strcol(9) . ', ' . strcol(11) . "\n" \
    . (is_mean(0) ? sprintf('of %d programs', $7) : tip_time_of(14)) . "\n" \
    . tip_named(strcol(12), sprintf('%.3g', tip_value(13)))
place(unused) = is_line(0) ? group_begin(0) + 0.5 * group_width(0) : bar_centre(0)
tips = tip_layer('data index i - 1 using (place(0)):13:(told(0))')

set multiplot
do for [i = 1:panels] {
    d = device[i]
    span = higher(log10(most[d] / least[d]), 0.3)
    low = least[d] / 10 ** (0.06 * span)
    high = most[d] * 10 ** (0.2 * span) # room for the numbers of the mean
    set yrange [low:high]
    set ytics nomirror ('' 1) font small
    do for [e = floor(log10(low)):ceil(log10(high))] {
        do for [m = 1:9] { # a short axis also names 2 and 5
            level = m > 1 && (span >= 2.2 || (m != 2 && m != 5))
            set ytics add ((level ? '' : sprintf('%g', m * 10.0 ** e)) m * 10.0 ** e level)
        }
    }
    set lmargin at screen at_x(left_end)
    set rmargin at screen at_x(right_end)
    set tmargin at screen at_y(top(i) - above)
    set bmargin at screen at_y(top(i) - above - plot_height)
    set xrange [-gap:axis_end]
    set xtics nomirror norotate center font small noenhanced scale 0
    if (aslant) {
        set xtics rotate by 25 right
    }
    set arrow 1000 from graph 0, first 1 to graph 1, first 1 nohead front lc rgb '#606060' lw 1.2
    plot data index i - 1 using (bar_centre(0)):13:(bar_begin(0)):(bar_end(0)): \
            (lower(1, bar_ratio(0))):(higher(1, bar_ratio(0))):(color($5 + 1)) \
            with boxxyerror fillstyle solid 1 noborder linecolor rgb variable, \
        data index i - 1 using (group_begin(0) - 0.3):(line_ratio(0)):(line_width(0)):(0) \
            with vectors nohead lc rgb 'black' lw 2, \
        data index i - 1 using (group_begin(0) + 0.5 * group_width(0)):(1):xtic(9) \
            with dots lc rgb 'white', \
        data index i - 1 using (bar_centre(0)):(higher(1, $13)):(number(0)) \
            with labels left rotate by 90 font tiny @tips
    unset label # they need no second drawing
    unset arrow
}
unset multiplot
