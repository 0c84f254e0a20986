# Draws fse17_fig6_pairs.svg again: gnuplot fse17_fig6_pairs.gp
# Or: gnuplot -e "term='png'; out='fse17_fig6_pairs.png'" fse17_fig6_pairs.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'fse17_fig6_pairs.svg'
data = 'fse17_fig6_pairs.dat'
title = 'Cost of multitasking and period of the tasks, over all pairs of an app and an input'

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
# FSE'17 Fig. 6: what the tasks cost the cooperative kernel, and how often a task is answered,
# against the number of the task's workgroups. Each cooperative kernel on each device has a row: on
# the left the overhead, on the right the period. Variables: data, out, term ('svg' or 'png'),
# title. A block of the data is a workload beside a kernel (with the barrier that serves it best);
# the first line of the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
lower(a, b) = b < a ? b : a
higher(a, b) = b > a ? b : a
known(c) = strcol(c) eq 'NaN' ? 0 : column(c) # a NaN would hide its row from stats
least(a, b) = b > 0 ? lower(a, b) : a
stats data using 1 name 'device' nooutput
stats data using 2 name 'kernel' nooutput
stats data using 3 name 'workload' nooutput
blocks = device_blocks
devices = int(device_max) + 1
kernels = int(kernel_max) + 1
workloads = int(workload_max) + 1
places = devices * kernels
array place[blocks]
array workload[blocks]
array period[blocks]
array rank[blocks] # of a line in its panel
array label[devices]
array kernel_title[places]
array name[workloads] # empty: it has no data
do for [k = 1:workloads] {
    name[k] = ''
}
array x_min[places]
array x_max[places]
array over_min[places]
array over_max[places]
array time_min[places]
array time_max[places]
array levels[places] # "groups|share" of each point, as words
at(d, k) = (d - 1) * kernels + k
do for [q = 1:places] {
    kernel_title[q] = ''
    levels[q] = ''
    x_min[q] = 1e300
    x_max[q] = 0
    over_min[q] = 1
    over_max[q] = 1
    time_min[q] = 1e300
    time_max[q] = 0
}
level(x, share) = sprintf('%.6g|%s', x, share)
with_level(list, word) = strstrt(list . ' ', ' ' . word . ' ') ? list : list . ' ' . word
with_barrier(s, barrier) = barrier eq 'none' ? s : s . ', ' . barrier . ' barrier'
do for [i = 1:blocks] {
    stats data index i - 1 using (d = $1 + 1, q = at(d, $2 + 1), place[i] = q, k = $3 + 1, \
        workload[i] = k, label[d] = strcol(4), \
        kernel_title[q] = with_barrier(strcol(5), strcol(6)), name[k] = strcol(7), \
        levels[q] = with_level(levels[q], level($8, strcol(9))), \
        x_min[q] = lower(x_min[q], $8), x_max[q] = higher(x_max[q], $8), \
        period[i] = known(10), \
        over_min[q] = least(over_min[q], known(12)), \
        over_max[q] = higher(over_max[q], higher(known(11), known(13))), \
        time_min[q] = least(least(time_min[q], known(15)), period[i]), \
        time_max[q] = higher(higher(time_max[q], known(16)), period[i]), 0) nooutput
}

# --- Canvas, in pixels of one 900 wide: a row per kernel and device, then the legend --------------
array panel_left[2] = [74.0, 520.0]
width = 320.0
plot_height = 200.0
above = 28.0 # a row: its title
below = 48.0 # a row: its numbers
row_height = above + plot_height + below
device_head = 32.0
array top[places] # of the row, from the top of the canvas; 0: nothing to draw
y = 44.0
do for [d = 1:devices] {
    used = 0
    do for [k = 1:kernels] {
        top[at(d, k)] = 0
        if (x_max[at(d, k)] > 0) {
            y = y + (used ? 0 : device_head)
            used = 1
            top[at(d, k)] = y
            y = y + row_height
        }
    }
}
item_width(s) = s eq '' ? 0 : 68 + 7.0 * strlen(s)
goal = 'period to keep'
array legend_x[workloads + 1] # the last is the goal
array legend_row[workloads + 1]
legend_rows = 1
x = 0.0
do for [k = 1:workloads + 1] {
    s = k > workloads ? goal : name[k]
    if (x > 0 && x + item_width(s) > 840) {
        legend_rows = legend_rows + 1
        x = 0.0
    }
    legend_x[k] = x
    legend_row[k] = legend_rows
    x = x + item_width(s)
}
array legend_start[legend_rows] # each row is centred
do for [k = 1:workloads + 1] {
    s = k > workloads ? goal : name[k]
    legend_start[legend_row[k]] = 450 - (legend_x[k] + item_width(s)) / 2
}
foot = 36.0 + 22 * legend_rows
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
array colors[8] = ['#b8860b', '#c2185b', '#00838f', '#8a4fa3', '#555555', '#1f6fb4', '#d9541e', \
    '#2e8b57']
array shapes[8] = [7, 5, 9, 13, 11, 6, 4, 8]
color(k) = colors[int(k - 1) % 8 + 1]
shape(k) = shapes[int(k - 1) % 8 + 1]
unit(ns) = ns < 1e3 ? sprintf('%g ns', ns) : ns < 1e6 ? sprintf('%g %s', ns / 1e3, micro) \
    : ns < 1e9 ? sprintf('%g ms', ns / 1e6) : sprintf('%g s', ns / 1e9)
small = term eq 'svg' ? ',12' : ',10' # look alike
set border 3 lc rgb '#404040'
set grid xtics ytics lc rgb '#d4d4d4' lw 0.7, lc rgb '#d4d4d4' lw 0
set logscale x 2
unset key

# --- Texts and legend -----------------------------------------------------------------------------
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
middle_y = (foot + height - 44) / 2
set label 'Overhead (median, quartiles)' at screen at_x(18), screen at_y(middle_y) center \
    rotate by 90
set label 'Period (median, quartiles)' at screen at_x(panel_left[2] - 74), \
    screen at_y(middle_y) center rotate by 90
do for [side = 1:2] {
    set label 'Workgroups of the task' at screen at_x(panel_left[side] + width / 2), \
        screen at_y(foot - 6) center
}
cut(s, n) = strlen(s) > n ? s[1:n - 18] . '...' . s[strlen(s) - 14:*] : s
do for [d = 1:devices] {
    named = 0
    do for [k = 1:kernels] {
        if (top[at(d, k)] > 0) {
            if (!named) {
                set label cut(label[d], 110) at screen at_x(panel_left[1]), \
                    screen at_y(height - top[at(d, k)] + 14) left noenhanced
            }
            named = 1
        }
    }
}
do for [k = 1:workloads + 1] {
    x = legend_start[legend_row[k]] + legend_x[k]
    y = 22.0 * (legend_rows - legend_row[k]) + 14
    if (k > workloads) {
        set arrow from screen at_x(x), screen at_y(y) to screen at_x(x + 36), screen at_y(y) \
            nohead lc rgb '#909090' lw 1.4
    }
    if (k <= workloads && name[lower(k, workloads)] ne '') {
        set arrow from screen at_x(x), screen at_y(y) to screen at_x(x + 36), screen at_y(y) \
            nohead lc rgb color(k) lw 1.6
        set label '' at screen at_x(x + 18), screen at_y(y) point pt shape(k) ps 0.7 \
            lc rgb color(k)
    }
    set label k > workloads ? goal : name[k] at screen at_x(x + 42), screen at_y(y) left \
        font small noenhanced
}

# --- The panels -----------------------------------------------------------------------------------
# The number of workgroups is named where it was measured, unless it would touch another name.
groups_of(word) = word[1:strstrt(word, '|') - 1] + 0.0
share_of(word) = word[strstrt(word, '|') + 1:*]
tic_width(word) = 3.8 * higher(strlen(sprintf('%.6g', groups_of(word))), strlen(share_of(word))) + 5
# Steps of a linear axis: about five.
decade(v) = 10.0 ** floor(log10(v))
step(v) = v / decade(v) > 5 ? 2 * decade(v) : v / decade(v) > 2 ? decade(v) \
    : v / decade(v) > 1 ? decade(v) / 2 : decade(v) / 5

# Heights of goals' names.
in_pixels(a, b) = pixels_y * abs(log10(a / b))
beside(a, b) = in_pixels(a, b) > 13 ? a : b * 10 ** ((a < b ? -13 : 13) / pixels_y)

told_where(m) = "\n" . tip_groups($8) . ', ' . kernel_title[place[int(m)]]
told_cost(m) = strcol(7) . sprintf(': %.4g times the time alone', tip_value(11)) \
    . tip_if(12, sprintf(' (quartiles %.4g to %.4g)', tip_value(12), tip_value(13))) . told_where(m)
told_period(m) = strcol(7) . ': period ' . tip_times(14, 15, 16) . tip_if(10, "\nto keep: " \
    . tip_time_of(10)) . told_where(m)
of_member = 'for [m in members] data index int(m) - 1 using ($8 * dodge(int(m)))'
cost_tips = tip_layer(of_member . ':(tip_value(11)):(told_cost(m))')
period_tips = tip_layer(of_member . ':(tip_value(14)):(told_period(m))')

set multiplot
do for [q = 1:places] {
    if (top[q] > 0) {
        members = ''
        n_members = 0
        do for [i = 1:blocks] {
            if (place[i] == q) {
                members = members . sprintf(' %d', i)
                rank[i] = n_members
                n_members = n_members + 1
            }
        }
        span_x = higher(log10(x_max[q] / x_min[q]), log10(2))
        margin = 0.07 * span_x
        middle = sqrt(x_min[q] * x_max[q])
        set xrange [middle / 10 ** (span_x / 2 + margin):middle * 10 ** (span_x / 2 + margin)]
        pixels_x = width / (span_x + 2 * margin)
        taken = ''
        do for [word in levels[q]] {
            x = groups_of(word)
            free = 1
            do for [other in taken] {
                apart = pixels_x * abs(log10(x / groups_of(other)))
                free = free && apart > tic_width(word) + tic_width(other)
            }
            if (free) {
                taken = taken . ' ' . word
            }
        }
        set xtics nomirror font small noenhanced
        set xtics ('' x_min[q] / 1e3) # none of its own
        do for [word in taken] {
            set xtics add (sprintf("%.6g\n%s", groups_of(word), share_of(word)) groups_of(word))
        }
        dodge(i) = 10 ** ((rank[i] - (n_members - 1) / 2.0) * 5 / pixels_x)
        set tmargin at screen at_y(height - top[q] - above)
        set bmargin at screen at_y(height - top[q] - above - plot_height)

        # Overhead: a grey line where there is none; many times the time needs a logarithmic axis.
        set lmargin at screen at_x(panel_left[1])
        set rmargin at screen at_x(panel_left[1] + width)
        unset logscale y
        set mytics default
        log_y = over_max[q] > 12
        if (log_y) {
            set logscale y 10
            set yrange [over_min[q] / 1.2:over_max[q] * 1.2]
            set ytics nomirror ('' 1) font small
            do for [e = -2:6] {
                do for [m = 1:9] {
                    value = m * 10.0 ** e
                    minor = m > 1 && (over_max[q] / over_min[q] > 400 || (m != 2 && m != 5))
                    set ytics add ((minor ? '' : sprintf('%g', value)) value minor)
                }
            }
        } else {
            set yrange [0:over_max[q] * 1.12]
            set ytics nomirror autofreq font small
            set ytics step(over_max[q] * 1.12)
        }
        set arrow from graph 0, first 1 to graph 1, first 1 nohead back lc rgb '#909090' lw 1.4 dt 3
        set label cut(kernel_title[q], 100) at graph 0, \
            screen at_y(height - top[q] - above + 12) left font small noenhanced
        plot for [m in members] data index int(m) - 1 \
                using ($8 * dodge(int(m))):12:(0):($13 > $12 ? $13 - $12 : NaN) \
                with vectors heads size screen 0.003, 90 lw 1 lc rgb color(workload[int(m)]), \
            for [m in members] data index int(m) - 1 using ($8 * dodge(int(m))):11 \
                with linespoints lc rgb color(workload[int(m)]) lw 1.6 \
                pt shape(workload[int(m)]) ps 0.7 @cost_tips
        unset label # they need no second drawing
        unset arrow

        # Period, with the names of the goals at the right end.
        if (time_max[q] > 0) {
            set lmargin at screen at_x(panel_left[2])
            set rmargin at screen at_x(panel_left[2] + width)
            span_y = log10(time_max[q] / time_min[q])
            room = higher(0.03 + 0.04 * span_y, (0.8 - span_y) / 2) # for two names of levels
            set logscale y 10
            set yrange [time_min[q] / 10 ** room:time_max[q] * 10 ** room]
            pixels_y = plot_height / (span_y + 2 * room)
            set ytics nomirror ('' 1) font small
            do for [e = 0:13] {
                do for [m = 1:9] { # a short axis also names 2 and 5
                    value = m * 10.0 ** e
                    minor = m > 1 && (span_y + 2 * room >= 2.6 || (m != 2 && m != 5))
                    set ytics add ((minor ? '' : unit(value)) value minor)
                }
            }
            named = ''
            places = '' # of the names: those that would touch are moved apart
            do for [m in members] {
                goal_ns = period[int(m)]
                if (goal_ns > 0) {
                    set arrow from graph 0, first goal_ns to graph 1, first goal_ns nohead back \
                        lc rgb '#909090' lw 1.4
                    free = 1
                    place_ns = goal_ns
                    do for [other in named] {
                        free = free && other + 0.0 != goal_ns
                    }
                    do for [other in places] {
                        place_ns = beside(place_ns, other + 0.0)
                    }
                    do for [other in places] {
                        free = free && in_pixels(place_ns, other + 0.0) > 11
                    }
                    if (free) {
                        named = named . sprintf(' %.9g', goal_ns)
                        places = places . sprintf(' %.9g', place_ns)
                        set label unit(goal_ns) at graph 1, first place_ns left offset 0.6, 0 \
                            font small tc rgb '#606060'
                    }
                }
            }
            plot for [m in members] data index int(m) - 1 \
                    using ($8 * dodge(int(m))):15:(0):($16 > $15 ? $16 - $15 : NaN) \
                    with vectors heads size screen 0.003, 90 lw 1 lc rgb color(workload[int(m)]), \
                for [m in members] data index int(m) - 1 using ($8 * dodge(int(m))):14 \
                    with linespoints lc rgb color(workload[int(m)]) lw 1.6 \
                    pt shape(workload[int(m)]) ps 0.7 @period_tips
            unset label
            unset arrow
        }
    }
}
unset multiplot
