# SPDX-License-Identifier: Apache-2.0
#
# OOPSLA'16 Fig. 8: time of the discovery protocol against the occupancy bound; the numbers at the
# points are the discovered occupancy. A device whose bound is the same for all sizes of workgroup
# has no such line: a second panel draws its time against that size. Variables: data, out, term
# ('svg' or 'png'), title. A block of the data is a device with a protocol; the first line of the
# data names the columns.

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
array least[devices]
array most[devices]
do for [d = 1:devices] {
    least[d] = 1e300
    most[d] = 0
}
do for [i = 1:blocks] {
    stats data index i - 1 using (device[i] = $1 + 1, protocol[i] = $2 + 1, label[i] = strcol(3), \
        $6) name 'bound' nooutput
    least[device[i]] = lower(least[device[i]], bound_min)
    most[device[i]] = higher(most[device[i]], bound_max)
}

# Panel 1 is against the bound (column 6), panel 2 against the size of the workgroup (column 5).
array column_x[2] = [6, 5]
array lines[2] = [0, 0]
array x_min[2] = [1e300, 1e300]
array x_max[2] = [0, 0]
array constant[2] = [1e300, 0]
array members[2] = ['', '']
do for [i = 1:blocks] {
    p = least[device[i]] < most[device[i]] ? 1 : 2
    members[p] = members[p] . sprintf(' %d', i)
    lines[p] = lines[p] + 1
    stats data index i - 1 using column_x[p] name 'size' nooutput
    x_min[p] = lower(x_min[p], size_min)
    x_max[p] = higher(x_max[p], size_max)
    if (p == 2) {
        constant[1] = lower(constant[1], least[device[i]])
        constant[2] = higher(constant[2], most[device[i]])
    }
}

# --- Canvas: two panels share it 3 : 2; the legend below may need several lines -------------------
both = lines[1] > 0 && lines[2] > 0
legend_columns = both || devices == 1 ? 1 : 2
legend_rows = ceil(higher(lines[1], lines[2]) / (1.0 * legend_columns))
height = 440 + 22 * legend_rows
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
set tmargin at screen 1 - 50.0 / height
set bmargin at screen ((both ? 92.0 : 76.0) + 22 * legend_rows) / height
array left_end[2] = [0.09, both ? 0.645 : 0.09]
array right_end[2] = [both ? 0.585 : 0.97, 0.97]

# --- What both panels share -----------------------------------------------------------------------
y_low = 10 ** (log10(q1_min) - 0.12)
y_high = 10 ** (log10(q3_max) + 0.3)
span_y = log10(y_high / y_low)
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
set key at graph 0.5, screen (22.0 * legend_rows + 10) / height center top vertical \
    maxrows legend_rows reverse Left samplen 3.5 width -2 noenhanced

# The colour is the device; dash and point are the protocol.
array colors[8] = ['#1f6fb4', '#d9541e', '#2e8b57', '#8a4fa3', '#b8860b', '#555555', \
    '#c2185b', '#00838f']
array dashes[3] = [3, 1, 2]
array shapes[3] = [5, 7, 9]
array protocol_name[3] = ['spin lock', 'ticket lock', 'lock-free']
color(i) = colors[int(device[i] - 1) % 8 + 1]
limit = both ? 32 : 40
short(s) = strlen(s) > limit ? s[1:limit / 2] . '...' . s[strlen(s) - limit / 2 + 2:*] : s
name(i) = short(label[i]) . ', ' . protocol_name[protocol[i]]
member(k) = int(word(members[p], k))

# A number stands only where it is clear of the one before it in its line.
clear(x, y) = abs(log_x ? log10(x / last_x) : x - last_x) > (both ? 0.07 : 0.045) * span_x \
    || abs(log10(y / last_y)) > 0.06 * span_y
keep(x, y) = clear(x, y) ? (last_x = x, last_y = y, 1) : 0
count(n) = n < 10 && n != floor(n) ? sprintf('%.1f', n) : sprintf('%.0f', n)

# --- The panels -----------------------------------------------------------------------------------
set multiplot
set label 1 title at screen 0.5, screen 1 - 24.0 / height center font ',14' noenhanced
do for [p = 1:2] {
    if (lines[p] > 0) {
        set lmargin at screen left_end[p]
        set rmargin at screen right_end[p]
        log_x = x_max[p] > 10 * x_min[p]
        span_x = log_x ? log10(x_max[p] / x_min[p]) : x_max[p]
        unset logscale x
        set xtics nomirror autofreq
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
            set xrange [x_min[p] / 10 ** (0.06 * span_x):x_max[p] * 10 ** (0.08 * span_x)]
        } else {
            set xrange [0:x_max[p] * 1.1]
        }
        if (p == 1) {
            set xlabel 'Occupancy bound (workgroups)'
        } else {
            set xlabel 'Work-items per workgroup' . (both ? "\n" : '  ') . '(occupancy bound ' \
                . (constant[1] == constant[2] ? sprintf('%g', constant[1]) : 'constant') \
                . ' for all sizes)'
        }
        set ylabel (p == 1 || !both) ? 'Protocol time (median, quartiles)' : ''
        at = column_x[p]
        last_x = 1e-99
        last_y = 1
        plot for [k = 1:lines[p]] data index member(k) - 1 using (column(at)):9:(0):($10 - $9) \
                with vectors heads size screen 0.003, 90 lw 1 lc rgb color(member(k)) notitle, \
            for [k = 1:lines[p]] data index member(k) - 1 using (column(at)):8 with linespoints \
                lc rgb color(member(k)) dt dashes[protocol[member(k)]] lw 1.6 \
                pt shapes[protocol[member(k)]] ps 0.7 title name(member(k)), \
            for [k = 1:lines[p]] data index member(k) - 1 using (column(at)):10: \
                (keep(column(at), $10) ? count($7) : '') with labels \
                offset 0, 0.7 font ',9' tc rgb color(member(k)) notitle
        unset label 1
    }
}
unset multiplot
