# Draws fig8.svg again: gnuplot fig8.gp
# Or: gnuplot -e "term='png'; out='fig8.png'" fig8.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'fig8.svg'
data = 'fig8.dat'
title = 'Time of the discovery protocol'

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
# OOPSLA'16 Fig. 8: time of the discovery protocol against the occupancy bound; the numbers at the
# points are the discovered occupancy. A device whose bound is the same for all sizes of workgroup
# has no such line: a second panel draws its time against that size. Variables: data, out, term
# ('svg' or 'png'), title. A block of the data is a device with a protocol; the first line of the
# data names the columns. Where several sizes of workgroup share a bound, the data holds the one
# with the median time, so that a line has one point per bound.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
lower(a, b) = b < a ? b : a
higher(a, b) = b > a ? b : a
stats data using 1 name 'device' nooutput
stats data using 9 name 'q1' nooutput
stats data using 10 name 'q3' nooutput
blocks = device_blocks
devices = int(device_max) + 1
array device[blocks]
array protocol[blocks]
array label[blocks]
array delays[blocks] # that the locks are drawn with
array mean[blocks] # of the logarithms of the times
array least[devices]
array most[devices]
do for [d = 1:devices] {
    least[d] = 1e300
    most[d] = 0
}
do for [i = 1:blocks] {
    stats data index i - 1 using (device[i] = $1 + 1, protocol[i] = $2 + 1, label[i] = strcol(3), \
        delays[i] = strcol(11), $6) name 'bound' nooutput
    least[device[i]] = lower(least[device[i]], bound_min)
    most[device[i]] = higher(most[device[i]], bound_max)
    stats data index i - 1 using (log10($8)) name 'time' nooutput
    mean[i] = time_mean
}

# Under a constant bound, a number only tells of workgroups that were not found.
count(n) = n < 10 && n != floor(n) ? sprintf('%.1f', n) : sprintf('%.0f', n)
number(p, bound, found) = p == 2 && count(found) eq count(bound) ? '' : count(found)
array numbers[2] = [0, 0]

# Panel 1 is against the bound (column 6), panel 2 against the size of the workgroup (column 5).
array column_x[2] = [6, 5]
array lines[2] = [0, 0]
array x_min[2] = [1e300, 1e300]
array x_max[2] = [0, 0]
array constant[2] = [1e300, 0]
array members[2] = ['', '']
array panel[blocks]
do for [i = 1:blocks] {
    p = least[device[i]] < most[device[i]] ? 1 : 2
    panel[i] = p
    members[p] = members[p] . sprintf(' %d', i)
    lines[p] = lines[p] + 1
    stats data index i - 1 using column_x[p] name 'size' nooutput
    stats data index i - 1 using (numbers[p] = numbers[p] + (number(p, $6, $7) ne ''), 0) nooutput
    x_min[p] = lower(x_min[p], size_min)
    x_max[p] = higher(x_max[p], size_max)
    if (p == 2) {
        constant[1] = lower(constant[1], least[device[i]])
        constant[2] = higher(constant[2], most[device[i]])
    }
}

# --- Canvas: two panels share it 3 : 2; in the legend below, each device has a line ---------------
both = lines[1] > 0 && lines[2] > 0
legend_rows = 0
longest = 0 # name of a device
cut(s, n) = strlen(s) > n ? s[1:n - 18] . '...' . s[strlen(s) - 14:*] : s
in_brackets(s) = s eq '' ? '' : ' (' . s . ')'
legend(i) = cut(label[i], 44 - strlen(in_brackets(delays[i]))) . in_brackets(delays[i])
do for [i = 1:blocks] {
    legend_rows = legend_rows + (i == 1 || device[i] != device[higher(1, i - 1)])
    longest = higher(longest, strlen(legend(i)))
}
height = 430 + 22 * legend_rows
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
array left_end[2] = [0.11, both ? 0.645 : 0.11]
array right_end[2] = [both ? 0.585 : 0.97, 0.97]
foot = (both ? 88.0 : 70.0) + 22 * legend_rows
head = height - 50.0
set tmargin at screen head / height
set bmargin at screen foot / height

# --- Ranges of the axes ---------------------------------------------------------------------------
data_y = log10(q3_max / q1_min)
room = higher(0.06 + 0.07 * data_y, (0.8 - data_y) / 2) # for numbers, and for two names of levels
y_low = q1_min / 10 ** room
y_high = q3_max * 10 ** room
span_y = data_y + 2 * room
array log_x[2]
array span_x[2]
array x_low[2]
array x_high[2]
do for [p = 1:2] {
    log_x[p] = x_max[p] > 10 * x_min[p]
    span_x[p] = log_x[p] ? log10(x_max[p] / x_min[p]) : x_max[p]
    x_low[p] = log_x[p] ? x_min[p] / 10 ** (0.06 * span_x[p]) : 0
    x_high[p] = log_x[p] ? x_max[p] * 10 ** (0.08 * span_x[p]) : x_max[p] * 1.1
}

# --- Places of the numbers ------------------------------------------------------------------------
# A number stands above its point, but below in the lower of the two locks' lines, which are often
# near. It is left out where it would touch a line, an error bar or another number. So the points,
# the lines in four pieces, and then the numbers take room: boxes in pixels of a canvas 900 wide,
# each given by its centre and half its width.
array below[blocks]
do for [i = 1:blocks] {
    below[i] = 0
    do for [k = 1:blocks] {
        lock = protocol[i] < 3 && protocol[k] < 3
        below[i] = below[i] || (lock && device[k] == device[i] && mean[i] < mean[k])
    }
}
array room_x[8 * device_records]
array room_y[8 * device_records]
array room_w[8 * device_records]
taken = 0
take(x, y, w) = (taken = taken + 1, room_x[taken] = x, room_y[taken] = y, room_w[taken] = w, y)
touches(j, x, y, w) = abs(room_x[j] - x) < room_w[j] + w \
    && abs(room_y[j] - y) < (room_w[j] > 4 ? 13 : 8) # from another number, or from a line
is_free(x, y, w) = (sum [j = 1:taken] touches(j, x, y, w)) == 0
across(p, x) = 900 * (left_end[p] + (right_end[p] - left_end[p]) \
    * (log_x[p] ? log10(x / x_low[p]) / log10(x_high[p] / x_low[p]) : x / x_high[p]))
up(y) = foot + (head - foot) * log10(y / y_low) / span_y
at_height(up) = y_low * 10 ** (span_y * (up - foot) / (head - foot))
piece(x, y, k) = take(old_x + (x - old_x) * k / 4.0, old_y + (y - old_y) * k / 4.0, 4)
line_to(x, y) = (piece(x, y, 1), piece(x, y, 2), piece(x, y, 3), move_to(x, y))
move_to(x, y) = (old_x = x, old_y = y, take(x, y, 4))
do for [i = 1:blocks] {
    p = panel[i]
    stats data index i - 1 using (x = across(p, column(column_x[p])), take(x, up($9), 4), \
        take(x, up($10), 4), $0 > 0 ? line_to(x, up($8)) : move_to(x, up($8))) nooutput
}

# --- What both panels share -----------------------------------------------------------------------
set logscale y 10
set yrange [y_low:y_high]
unit(ns) = ns < 1e3 ? sprintf('%g ns', ns) : ns < 1e6 ? sprintf('%g %s', ns / 1e3, micro) \
    : ns < 1e9 ? sprintf('%g ms', ns / 1e6) : sprintf('%g s', ns / 1e9)
set ytics nomirror ('' 1)
do for [e = 0:11] {
    do for [m = 1:9] { # a short axis also names 2 and 5
        value = m * 10.0 ** e
        level = m > 1 && (span_y >= 2 || (m != 2 && m != 5))
        text = level ? '' : unit(value)
        set ytics add (text value level)
    }
}
set border 3 lc rgb '#404040'
set grid xtics ytics lc rgb '#d4d4d4' lw 0.7, lc rgb '#d4d4d4' lw 0
unset key

# The colour is the device; dash and point are the protocol.
array colors[8] = ['#1f6fb4', '#d9541e', '#2e8b57', '#8a4fa3', '#b8860b', '#555555', \
    '#c2185b', '#00838f']
array dashes[3] = [3, 1, 2]
array shapes[3] = [5, 7, 9]
array protocol_name[3] = ['spin lock', 'ticket lock', 'lock-free']
color(i) = colors[int(device[i] - 1) % 8 + 1]
member(k) = int(word(members[p], k))

# So it tries the other side of its point before it is left out: 0. (Labels without any place make
# gnuplot 5.4 crash; an empty one at its point does not.)
put(x, y, w, other) = is_free(x, y, w) ? at_height(take(x, y, w)) \
    : other > 0 ? put(x, other, w, 0) : 0
put_below(p, x, q1, q3, w) = put(x, up(q1) - 13, w, p == 2 ? up(q3) + 13 : 0)
put_above(p, x, q1, q3, w) = put(x, up(q3) + 13, w, p == 2 ? up(q1) - 13 : 0)
half_width(s) = 3.8 * strlen(s) + 2
put_number(i, x, q1, q3, s) = s eq '' ? 0 : below[i] \
    ? put_below(panel[i], across(panel[i], x), q1, q3, half_width(s)) \
    : put_above(panel[i], across(panel[i], x), q1, q3, half_width(s))

# --- Legend: a line per device, a column per protocol ---------------------------------------------
# The svg terminal joins arrows of one colour and width, and then gives all the dashes of the first:
# so their widths differ a little.
middle = 450 + (7.8 * longest - 475) / 2 # end of the names
row = 0
do for [i = 1:blocks] {
    new = i == 1 || device[i] != device[higher(1, i - 1)]
    row = row + new
    y = (22.0 * (legend_rows - row) + 18) / height
    x = (middle + 24 + 155 * (protocol[i] - 1)) / 900.0
    if (new) {
        set label legend(i) at screen middle / 900.0, screen y right noenhanced
    }
    set arrow from screen x, screen y to screen x + 0.05, screen y nohead \
        lc rgb color(i) dt dashes[protocol[i]] lw 1.6 + 0.01 * protocol[i]
    set label protocol_name[protocol[i]] at screen x + 0.06, screen y left
    set label '' at screen x + 0.025, screen y point pt shapes[protocol[i]] ps 0.7 lc rgb color(i)
}

# --- The panels -----------------------------------------------------------------------------------
told(k) = protocol_name[protocol[member(k)]] . in_brackets(delays[member(k)]) . "\n" \
    . tip_times(8, 9, 10) . "\n" . sprintf('found: %s of ', count($7)) . tip_groups($6) \
    . sprintf(', %g work-items each', $5) . "\n" . strcol(3)
tips = tip_layer('for [k = 1:lines[p]] data index member(k) - 1 using (column(at)):8:(told(k))')

set multiplot
set label title . (numbers[1] + numbers[2] > 0 ? ' (numbers: discovered occupancy)' : '') \
    at screen 0.5, screen 1 - 24.0 / height center font ',14' noenhanced
do for [p = 1:2] {
    if (lines[p] > 0) {
        set lmargin at screen left_end[p]
        set rmargin at screen right_end[p]
        unset logscale x
        set xtics nomirror autofreq
        if (log_x[p]) {
            set xtics ('' 1)
            do for [e = 0:6] {
                do for [m = 1:9] { # a short axis also names 2 and 5
                    value = m * 10.0 ** e
                    level = m > 1 && (span_x[p] >= 2 || (m != 2 && m != 5))
                    text = level ? '' : sprintf('%g', value)
                    set xtics add (text value level)
                }
            }
            set logscale x 10
        }
        set xrange [x_low[p]:x_high[p]]
        if (p == 1) {
            set xlabel 'Occupancy bound (workgroups)'
        } else {
            set xlabel 'Work-items per workgroup' . (both ? "\n" : ' ') . '(' \
                . (constant[1] == constant[2] ? sprintf('bound %g for all', constant[1]) \
                : 'constant bound') . (numbers[2] > 0 ? '; numbers: fewer found)' : '; all found)')
        }
        set ylabel (p == 1 || !both) ? 'Protocol time (median, quartiles)' : ''
        at = column_x[p]
        plot for [k = 1:lines[p]] data index member(k) - 1 using (column(at)):9:(0):($10 - $9) \
                with vectors heads size screen 0.003, 90 lw 1 lc rgb color(member(k)), \
            for [k = 1:lines[p]] data index member(k) - 1 using (column(at)):8 with linespoints \
                lc rgb color(member(k)) dt dashes[protocol[member(k)]] lw 1.6 \
                pt shapes[protocol[member(k)]] ps 0.7, \
            for [k = 1:lines[p]] data index member(k) - 1 using (column(at)): \
                (spot = put_number(member(k), column(at), $9, $10, number(p, $6, $7)), \
                spot > 0 ? spot : $8):(spot > 0 ? number(p, $6, $7) : '') \
                with labels font ',9' tc rgb color(member(k)) @tips
        unset label # they are of the whole picture, and need no second drawing
        unset arrow
    }
}
unset multiplot
