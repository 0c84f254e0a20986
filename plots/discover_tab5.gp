# SPDX-License-Identifier: Apache-2.0
#
# OOPSLA'16 Tab. 5 as a picture: what a delay between the polling and the closing phase of the
# ticket-lock protocol does to the discovered occupancy and to the time it takes. Variables: data,
# out, term ('svg' or 'png'), title. A block of the data is a device with a microbenchmark, a row a
# delay; the first line of the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
known(c) = strcol(c) eq 'nan' ? 0 : column(c) # a NaN would hide its row from stats
lower(a, b) = b > 0 && b < a ? b : a
higher(a, b) = b > a ? b : a
array low[2] = [1e300, 1e300] # of panel 1, occupancy, and panel 2, time
array high[2] = [0, 0]
stats data using (low[1] = lower(lower(low[1], $7), $7 - known(8)), \
    high[1] = higher(higher(high[1], known(6)), $7 + known(8)), \
    low[2] = lower(low[2], known(10)), high[2] = higher(high[2], known(11)), $2) nooutput
blocks = STATS_blocks
last_delay = STATS_max
panels = high[2] > 0 ? 2 : 1 # a device without a clock has no times
last_three(s) = s[strlen(s) - 2:*]
tick(s) = strlen(s) > 3 && last_three(s) eq '000' ? s[1:strlen(s) - 3] . 'k' : s
array length[last_delay + 1] # of the labels of ticks
stats data using (length[int($2) + 1] = strlen(tick(strcol(5))), $2) nooutput
crowd = 0 # what two labels side by side need, in characters
do for [i = 1:last_delay] {
    crowd = higher(crowd, (length[i] + length[i + 1]) / 2.0 + 1)
}
array device[blocks]
array order[blocks]
array label[blocks]
array microbenchmark[4] = ['11', 'L1', '1W', 'LW']
do for [i = 1:blocks] {
    stats data index i - 1 using (device[i] = $1, m = strcol(4), label[i] = strcol(3), 0) nooutput
    do for [k = 1:4] {
        if (microbenchmark[k] eq m) {
            order[i] = k
        }
    }
}

# --- Canvas: the panels side by side; in the legend below, each device has a line -----------------
legend_rows = 0
longest = 0 # name of a device
short(s) = strlen(s) > 44 ? s[1:26] . '...' . s[strlen(s) - 14:*] : s
do for [i = 1:blocks] {
    legend_rows = legend_rows + (i == 1 || device[i] != device[higher(1, i - 1)])
    longest = higher(longest, strlen(short(label[i])))
}
slot = (panels == 2 ? 330.0 : 790.0) / (last_delay + 0.8) # pixels of a delay, in the narrower panel
askew = crowd * 5.7 > slot # as labels of very many delays are
foot = (askew ? 105.0 : 70.0) + 22 * legend_rows
height = 355 + foot
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
set bmargin at screen foot / height
array left_end[2] = [0.085, 0.6]
array right_end[2] = [panels == 2 ? 0.485 : 0.97, 0.97]

# --- What both panels share -----------------------------------------------------------------------
unit(ns) = ns < 1e3 ? sprintf('%g ns', ns) : ns < 1e6 ? sprintf('%g %s', ns / 1e3, micro) \
    : ns < 1e9 ? sprintf('%g ms', ns / 1e6) : sprintf('%g s', ns / 1e9)
set logscale y 10
set xrange [-0.4:last_delay + 0.4]
set xtics nomirror scale 0 noenhanced
small = term eq 'svg' ? ',10' : ',8' # look alike
if (crowd * 7.8 > slot) {
    set xtics font small
}
if (askew) {
    set xtics rotate by -40
}
set xlabel 'Delay (rounds of lock and unlock)'
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7, lc rgb '#d4d4d4' lw 0
array titles[2] = ['Discovered workgroups (dashed: bound)', \
    'Protocol time (median, quartiles)']

# The colour is the device; the point is the microbenchmark, moved by some 6 pixels so that equals
# show.
array colors[8] = ['#1f6fb4', '#d9541e', '#2e8b57', '#8a4fa3', '#b8860b', '#555555', \
    '#c2185b', '#00838f']
array shapes[4] = [7, 5, 9, 13]
color(i) = colors[int(device[i]) % 8 + 1]
shift(i) = (order[i] - 2.5) * 0.016 * (last_delay + 0.8)

# --- Legend: a line per device, a column per microbenchmark ---------------------------------------
middle = 450 + (7.8 * longest - 430) / 2 # end of the names
row = 0
do for [i = 1:blocks] {
    new = i == 1 || device[i] != device[higher(1, i - 1)]
    row = row + new
    y = (22.0 * (legend_rows - row) + 18) / height
    x = (middle + 24 + 105 * (order[i] - 1)) / 900.0
    if (new) {
        set label short(label[i]) at screen middle / 900.0, screen y right noenhanced
    }
    set arrow from screen x, screen y to screen x + 0.04, screen y nohead lc rgb color(i) lw 1.3
    set label microbenchmark[order[i]] at screen x + 0.05, screen y left
    set label '' at screen x + 0.02, screen y point pt shapes[order[i]] ps 0.8 lc rgb color(i)
}

# --- The panels -----------------------------------------------------------------------------------
unset key
point_name(i) = microbenchmark[order[i]] . ', delay ' . strcol(5) . "\n"
told_found(i) = point_name(i) . sprintf('found: %.4g ± %.2g of %.4g workgroups', $7, tip_value(8), $6)
told_time(i) = point_name(i) . tip_times(9, 10, 11)
found_tips = tip_layer('for [i = 1:blocks] data index i - 1 using ($2 + shift(i)):7:(told_found(i))')
time_tips = tip_layer('for [i = 1:blocks] data index i - 1 using ($2 + shift(i)):(tip_value(9)):(told_time(i))')

set multiplot
set label title at screen 0.5, screen 1 - 24.0 / height center font ',14' noenhanced
do for [p = 1:panels] {
    set lmargin at screen left_end[p]
    set rmargin at screen right_end[p]
    span = log10(high[p] / low[p])
    bottom = low[p] / 10 ** (0.05 * span + 0.05)
    set yrange [bottom:high[p] * 10 ** (0.05 * span + 0.05)]
    set ytics nomirror ('' 1)
    do for [e = 0:11] {
        do for [m = 1:9] { # a short axis also names 2 and 5
            value = m * 10.0 ** e
            level = m > 1 && (span >= 2 || (m != 2 && m != 5))
            text = level ? '' : p == 2 ? unit(value) : sprintf('%.0f', value)
            set ytics add (text value level)
        }
    }
    set ylabel titles[p]
    if (p == 1) {
        # the bound reaches beyond the points, to be seen where they hide it
        plot for [i = 1:blocks] data index i - 1 using ($2 - 0.5):6:(1):(0) \
                with vectors nohead lc rgb color(i) dt 2 lw 0.8, \
            for [i = 1:blocks] data index i - 1 \
                using ($2 + shift(i)):(higher(bottom, $7 - $8)):(0): \
                ($8 > 0 ? $7 + $8 - higher(bottom, $7 - $8) : NaN) \
                with vectors heads size screen 0.003, 90 lw 1 lc rgb color(i), \
            for [i = 1:blocks] data index i - 1 using ($2 + shift(i)):7 with linespoints \
                lc rgb color(i) lw 1.3 pt shapes[order[i]] ps 0.8, \
            data using 2:(NaN):xtic(tick(strcol(5))) with points @found_tips
    } else {
        plot for [i = 1:blocks] data index i - 1 using ($2 + shift(i)):10:(0):($11 - $10) \
                with vectors heads size screen 0.003, 90 lw 1 lc rgb color(i), \
            for [i = 1:blocks] data index i - 1 using ($2 + shift(i)):9 with linespoints \
                lc rgb color(i) lw 1.3 pt shapes[order[i]] ps 0.8, \
            data using 2:(NaN):xtic(tick(strcol(5))) with points @time_tips
    }
    unset label # they are of the whole picture, and need no second drawing
    unset arrow
}
unset multiplot
