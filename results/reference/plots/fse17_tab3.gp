# Draws fse17_tab3.svg again: gnuplot fse17_tab3.gp
# Or: gnuplot -e "term='png'; out='fse17_tab3.png'" fse17_tab3.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'fse17_tab3.svg'
data = 'fse17_tab3.dat'
title = 'Answer time of urgent tasks, and what they cost a long kernel'

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
# FSE'17 Tab. 3: when an urgent task is answered (left), and what the tasks cost the long kernel
# beside them (right), for each workload: whole kernels preempted, by the model and as measured, and
# cooperative kernels. Each app on each device has a row. Variables: data, out, term ('svg' or
# 'png'), title. A block of the data is a row; the first line of the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
lower(a, b) = b < a ? b : a
higher(a, b) = b > a ? b : a
known(c) = strcol(c) eq 'NaN' ? 0 : column(c) # a NaN would hide its row from stats
least(a, b) = b > 0 ? lower(a, b) : a
stats data using 2 name 'workload' nooutput
blocks = workload_blocks
sides = 4
array device[blocks]
array app[blocks]
array workloads[blocks]
array time_min[blocks]
array time_max[blocks]
array over_min[blocks]
array over_max[blocks]
array name[blocks * 32] # of the workloads of a row
array goal[blocks * 32] # their periods
array side_name[sides]
at(i, w) = (i - 1) * 32 + w + 1
do for [k = 1:blocks * 32] {
    name[k] = '' # has no data
}
do for [s = 1:sides] {
    side_name[s] = ''
}
do for [i = 1:blocks] {
    workloads[i] = 0
    time_min[i] = 1e300
    time_max[i] = 0
    over_min[i] = 1
    over_max[i] = 1
    stats data index i - 1 using (w = lower($2, 31), workloads[i] = higher(workloads[i], w + 1), \
        device[i] = strcol(4), app[i] = strcol(5), name[at(i, w)] = strcol(6), \
        side_name[$3 + 1] = strcol(7), goal[at(i, w)] = known(9), \
        time_min[i] = least(time_min[i], known(10)), \
        time_max[i] = higher(higher(time_max[i], known(10)), higher(known(11), known(9))), \
        over_min[i] = least(least(over_min[i], known(12)), known(13)), \
        over_max[i] = higher(higher(over_max[i], known(12)), known(14)), 0) nooutput
}

# --- Canvas, in pixels of one 900 wide: a row for each app on each device, then the legend --------
array panel_left[2] = [90.0, 536.0]
width = 340.0
plot_height = 200.0
above = 28.0 # a row: its title
below = 32.0 # a row: names of workloads
row_height = above + plot_height + below
device_head = 32.0
array top[blocks] # of the row, from the top of the canvas
y = 44.0
do for [i = 1:blocks] {
    if (i == 1 || device[i] ne device[lower(i, i - 1)]) {
        y = y + device_head
    }
    top[i] = y
    y = y + row_height
}
foot = 96.0
height = y + foot
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

# --- What all panels share ------------------------------------------------------------------------
array colors[sides] = ['#808080', '#d9541e', '#1f6fb4', '#2e8b57']
array shapes[sides] = [2, 5, 7, 9]
unit(ns) = ns < 1e3 ? sprintf('%g ns', ns) : ns < 1e6 ? sprintf('%g %s', ns / 1e3, micro) \
    : ns < 1e9 ? sprintf('%g ms', ns / 1e6) : sprintf('%g s', ns / 1e9)
small = term eq 'svg' ? ',12' : ',10' # look alike
tiny = term eq 'svg' ? ',10' : ',8'
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7, lc rgb '#d4d4d4' lw 0
unset key
# Steps of a linear axis: about five.
decade(v) = 10.0 ** floor(log10(v))
step(v) = v / decade(v) > 5 ? 2 * decade(v) : v / decade(v) > 2 ? decade(v) \
    : v / decade(v) > 1 ? decade(v) / 2 : decade(v) / 5

# --- Texts and legend -----------------------------------------------------------------------------
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
middle_y = (foot + height - 44) / 2
set label 'Answer time (median; whisker: 95th percentile)' at screen at_x(16), \
    screen at_y(middle_y) center rotate by 90
set label 'Overhead (median, quartiles)' at screen at_x(panel_left[2] - 56), \
    screen at_y(middle_y) center rotate by 90
cut(s, n) = strlen(s) > n ? s[1:n - 18] . '...' . s[strlen(s) - 14:*] : s
do for [i = 1:blocks] {
    if (i == 1 || device[i] ne device[lower(i, i - 1)]) {
        set label cut(device[i], 110) at screen at_x(panel_left[1]), \
            screen at_y(height - top[i] + 14) left noenhanced
    }
}
legend_x(s) = 90.0 + (s > 2 ? 400 : 0)
legend_y(s) = foot - 30.0 - 22 * ((s - 1) % 2)
do for [s = 1:sides] {
    if (side_name[s] ne '') {
        set label '' at screen at_x(legend_x(s)), screen at_y(legend_y(s)) point pt shapes[s] \
            ps 0.9 lc rgb colors[s]
        set label side_name[s] at screen at_x(legend_x(s) + 12), screen at_y(legend_y(s)) left \
            font small noenhanced
    }
}
set arrow from screen at_x(82), screen at_y(18) to screen at_x(98), screen at_y(18) nohead \
    lc rgb '#909090' lw 1.4
set label 'period to keep; beside a point: workgroups of its task, N: all' at screen at_x(102), \
    screen at_y(18) left font small

# --- The panels -----------------------------------------------------------------------------------
place(w, s) = w + (s - 1.5) * 0.17 # sides of a workload stand side by side
told_side(unused) = strcol(7) . ', ' . strcol(6) . "\n"
told_answer(unused) = told_side(0) . 'answer: ' . tip_time_of(10) . tip_if(11, ', 95th percentile ' \
    . tip_time(tip_value(11))) . "\nto keep: " . tip_time_of(9)
told_cost(unused) = told_side(0) . sprintf('%.4g times the time alone', tip_value(12)) \
    . tip_if(13, sprintf(' (quartiles %.4g to %.4g)', tip_value(13), tip_value(14)))
answer_tips = tip_layer('data index i - 1 using (place($2, $3)):(tip_value(10)):(told_answer(0))')
cost_tips = tip_layer('data index i - 1 using (place($2, $3)):(tip_value(12)):(told_cost(0))')

set multiplot
do for [i = 1:blocks] {
    set xrange [-0.5:workloads[i] - 0.5]
    set xtics nomirror scale 0 font small noenhanced
    set xtics ('' -9)
    do for [w = 0:workloads[i] - 1] {
        set xtics add (name[at(i, w)] w)
    }
    set tmargin at screen at_y(height - top[i] - above)
    set bmargin at screen at_y(height - top[i] - above - plot_height)

    set lmargin at screen at_x(panel_left[1])
    set rmargin at screen at_x(panel_left[1] + width)
    span = log10(time_max[i] / time_min[i])
    room = higher(0.06 + 0.05 * span, (0.8 - span) / 2) # for two names of levels
    set logscale y 10
    set yrange [time_min[i] / 10 ** (room + 0.06 * higher(span, 1)):time_max[i] * 10 ** room]
    set ytics nomirror ('' 1) font small
    do for [e = 0:13] {
        do for [m = 1:9] { # a short axis also names 2 and 5
            value = m * 10.0 ** e
            minor = m > 1 && (span + 2 * room >= 2.6 || (m != 2 && m != 5))
            set ytics add ((minor ? '' : unit(value)) value minor)
        }
    }
    do for [w = 0:workloads[i] - 1] {
        if (goal[at(i, w)] > 0) {
            set arrow from first w - 0.42, first goal[at(i, w)] to first w + 0.42, \
                first goal[at(i, w)] nohead back lc rgb '#909090' lw 1.4
        }
    }
    set label cut(app[i], 100) at graph 0, screen at_y(height - top[i] - above + 12) left \
        font small noenhanced
    plot for [s = 1:sides] data index i - 1 \
            using ($3 == s - 1 ? place($2, $3) : NaN):10:(0):($11 > $10 ? $11 - $10 : NaN) \
            with vectors heads size screen 0.003, 90 lw 1 lc rgb colors[s], \
        for [s = 1:sides] data index i - 1 using ($3 == s - 1 ? place($2, $3) : NaN):10 \
            with points pt shapes[s] ps 0.9 lc rgb colors[s], \
        data index i - 1 using (place($2, $3)):10:8 with labels offset 0, -0.8 font tiny \
            tc rgb '#606060' noenhanced @answer_tips
    unset label # they need no second drawing
    unset arrow

    # A grey line where there is no overhead.
    set lmargin at screen at_x(panel_left[2])
    set rmargin at screen at_x(panel_left[2] + width)
    unset logscale y
    set mytics default
    edge = higher(0.02, 0.14 * (over_max[i] - over_min[i]))
    set yrange [over_min[i] - edge:over_max[i] + edge]
    set ytics nomirror autofreq font small
    set ytics step(over_max[i] - over_min[i] + 2 * edge)
    set arrow from graph 0, first 1 to graph 1, first 1 nohead back lc rgb '#909090' lw 1.4 dt 3
    plot for [s = 1:sides] data index i - 1 \
            using ($3 == s - 1 ? place($2, $3) : NaN):13:(0):($14 > $13 ? $14 - $13 : NaN) \
            with vectors heads size screen 0.003, 90 lw 1 lc rgb colors[s], \
        for [s = 1:sides] data index i - 1 using ($3 == s - 1 ? place($2, $3) : NaN):12 \
            with points pt shapes[s] ps 0.9 lc rgb colors[s], \
        data index i - 1 using (place($2, $3)):14:8 with labels offset 0, 0.7 font tiny \
            tc rgb '#606060' noenhanced @cost_tips
    unset arrow
}
unset multiplot
