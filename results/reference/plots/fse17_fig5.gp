# Draws fse17_fig5.svg again: gnuplot fse17_fig5.gp
# Or: gnuplot -e "term='png'; out='fse17_fig5.png'" fse17_fig5.gp
if (!exists('term')) term = 'svg'
if (!exists('out')) out = 'fse17_fig5.svg'
data = 'fse17_fig5.dat'
title = 'Gather time and time of a task'

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
# FSE'17 Fig. 5: how long the workgroups of a task take to come together, for each resizing barrier,
# and how long the task then takes, for each workload, against the number of its workgroups. Each
# device has a row or more of panels, one for each cooperative kernel. Variables: data, out, term
# ('svg' or 'png'), title. A block of the data is a line of a panel; the first line of the data
# names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
lower(a, b) = b < a ? b : a
higher(a, b) = b > a ? b : a
known(c) = strcol(c) eq 'NaN' ? 0 : column(c) # a NaN would hide its row from stats
stats data using 1 name 'device' nooutput
stats data using 2 name 'kernel' nooutput
stats data using 4 name 'line' nooutput
blocks = device_blocks
devices = int(device_max) + 1
kernels = int(kernel_max) + 1
lines = int(line_max) + 1 # of each of the two times, at most
array device[blocks]
array kernel[blocks]
array time[blocks] # 1: until the workgroups are there; 2: until the task is done
array line[blocks]
array period[blocks]
array rank[blocks] # of a line among those of its time in its panel
array label[devices]
array panel_title[kernels]
array spot[devices * kernels] # the panel's number on its device
array used[devices] # panels
array name[2 * lines] # first those of time 1; a line of time 2 is called after its workload
array y_min[devices]
array y_max[devices]
array x_min[devices * kernels]
array x_max[devices * kernels]
array levels[devices * kernels] # "groups|share" of each point, as words
at(t, k) = (t - 1) * lines + k
panel(d, p) = (d - 1) * kernels + p
do for [k = 1:2 * lines] {
    name[k] = ''
}
do for [d = 1:devices] {
    y_min[d] = 1e300
    y_max[d] = 0
    do for [p = 1:kernels] {
        x_min[panel(d, p)] = 1e300
        x_max[panel(d, p)] = 0
        levels[panel(d, p)] = ''
    }
}
level(x, share) = sprintf('%.6g|%s', x, share)
with_level(list, word) = strstrt(list . ' ', ' ' . word . ' ') ? list : list . ' ' . word
do for [i = 1:blocks] {
    stats data index i - 1 using (d = $1 + 1, device[i] = d, p = $2 + 1, kernel[i] = p, \
        t = $3 + 1, time[i] = t, k = $4 + 1, line[i] = k, label[d] = strcol(5), \
        panel_title[p] = strcol(6), name[at(t, k)] = strcol(7), q = panel(d, p), \
        levels[q] = with_level(levels[q], level($8, strcol(9))), \
        x_min[q] = lower(x_min[q], $8), x_max[q] = higher(x_max[q], $8), \
        y_min[d] = lower(y_min[d], $10), y_max[d] = higher(y_max[d], $10), \
        y_max[d] = higher(y_max[d], t == 1 ? known(11) : 0), period[i] = known(12), \
        y_max[d] = higher(y_max[d], period[i]), 0) nooutput
}

# Devices may have kernels, or inputs, of their own.
panels = 1 # of a device, at most
do for [d = 1:devices] {
    used[d] = 0
    do for [p = 1:kernels] {
        q = panel(d, p)
        used[d] = used[d] + (x_max[q] > 0)
        spot[q] = used[d]
    }
    panels = higher(panels, used[d])
}

# --- Legend: a row or more for each time ----------------------------------------------------------
array head[2] = ['Gather time (whisker: 95th percentile), barrier:', 'Execution time, task:']
array style[5] = ['regular', 'query', 'atomic', 'literal', 'master'] # have colours of their own
is_named(k) = name[k] ne ''
shown(k) = name[k] eq 'none' ? 'no barriers' : name[k]
left_end = 88.0
right_end = 842.0
text_width(s) = 7.0 * strlen(s)
item_width(s) = 64 + text_width(s)
goal = 'period to keep'
array legend_x[2 * lines + 1] # the last is the goal
array legend_row[2 * lines + 1]
array head_row[2] = [0, 0]
legend_rows = 0
do for [t = 1:2] {
    items = 0
    do for [k = at(t, 1):at(t, lines)] {
        items = items + is_named(k)
    }
    if (items > 0) {
        legend_rows = legend_rows + 1
        head_row[t] = legend_rows
        x = text_width(head[t]) + 14
        do for [k = at(t, 1):at(t, lines) + (t == 2)] {
            s = k > 2 * lines ? goal : shown(k)
            if (s ne '') {
                if (x + item_width(s) > 850) {
                    legend_rows = legend_rows + 1
                    x = 40.0
                }
                legend_x[k] = x
                legend_row[k] = legend_rows
                x = x + item_width(s)
            }
        }
    }
}

# --- Canvas, in pixels of one 900 wide: a row or more of panels per device, then the legend -------
rows = ceil(panels / 3.0)
columns = ceil(panels / (1.0 * rows))
gap = 14.0
width = (right_end - left_end - (columns - 1) * gap) / columns
plot_height = devices * rows == 1 ? 330.0 : 250.0
above = 26.0 # a panel: its title
below = 42.0 # a panel: its numbers
row_height = above + plot_height + below
between = 18.0 # two devices
device_height = 24 + rows * row_height + between
foot = 42.0 + 22 * legend_rows
height = 44 + devices * device_height - between + foot
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
device_top(d) = height - 44 - (d - 1) * device_height
panel_left(s) = left_end + ((s - 1) % columns) * (width + gap)
panel_top(d, s) = device_top(d) - 24 - floor((s - 1) / columns) * row_height - above

# --- What all panels share ------------------------------------------------------------------------
# Gather time: solid lines with filled points, a colour for each barrier; execution time: dashed
# lines with open points.
array gather_color[5] = ['#1f6fb4', '#d9541e', '#2e8b57', '#8d6e63', '#111111']
array exec_color[5] = ['#b8860b', '#c2185b', '#00838f', '#8a4fa3', '#555555']
array exec_dash[5] = [2, 4, 3, 5, 2]
array gather_shape[5] = [7, 5, 9, 11, 15]
array exec_shape[5] = [6, 4, 8, 12, 10]
style_of(s) = sum [i = 1:5] (s eq style[i] ? i : 0)
color(t, k) = t == 2 ? exec_color[int(k - 1) % 5 + 1] \
    : style_of(name[k]) ? gather_color[style_of(name[k])] : '#6a51a3'
shape(t, k) = t == 2 ? exec_shape[int(k - 1) % 5 + 1] \
    : style_of(name[k]) ? gather_shape[style_of(name[k])] : 13
dash(t, k) = t == 1 ? 1 : exec_dash[int(k - 1) % 5 + 1]
unit(ns) = ns < 1e3 ? sprintf('%g ns', ns) : ns < 1e6 ? sprintf('%g %s', ns / 1e3, micro) \
    : ns < 1e9 ? sprintf('%g ms', ns / 1e6) : sprintf('%g s', ns / 1e9)
small = term eq 'svg' ? ',12' : ',10' # look alike
set border 3 lc rgb '#404040'
set grid xtics ytics lc rgb '#d4d4d4' lw 0.7, lc rgb '#d4d4d4' lw 0
set logscale y 10
set logscale x 2
unset key

# --- Texts and legend -----------------------------------------------------------------------------
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
set label 'Time (median)' at screen at_x(18), screen at_y((foot + height - 44) / 2) center \
    rotate by 90
set label 'Workgroups of the task' at screen at_x((left_end + right_end) / 2), \
    screen at_y(foot - 11) center
cut(s, n) = strlen(s) > n ? s[1:n - 18] . '...' . s[strlen(s) - 14:*] : s
do for [d = 1:devices] {
    set label cut(label[d], 100) at screen at_x(left_end), screen at_y(device_top(d) - 8) left \
        noenhanced
}
legend_y(row) = 22.0 * (legend_rows - row) + 14
do for [t = 1:2] {
    if (head_row[t] > 0) {
        set label head[t] at screen at_x(30), screen at_y(legend_y(head_row[t])) left font small
        do for [k = at(t, 1):at(t, lines)] {
            if (is_named(k)) {
                x = 30 + legend_x[k]
                y = legend_y(legend_row[k])
                j = k - at(t, 0)
                # (the svg terminal joins arrows of one colour and width, and dashes them alike)
                set arrow from screen at_x(x), screen at_y(y) to screen at_x(x + 36), \
                    screen at_y(y) nohead lc rgb color(t, j) dt dash(t, j) lw 1.6 + 0.01 * k
                set label '' at screen at_x(x + 18), screen at_y(y) point pt shape(t, j) ps 0.7 \
                    lc rgb color(t, j)
                set label shown(k) at screen at_x(x + 42), screen at_y(y) left font small noenhanced
            }
        }
    }
}
if (head_row[2] > 0) {
    k = 2 * lines + 1
    x = 30 + legend_x[k]
    y = legend_y(legend_row[k])
    set arrow from screen at_x(x), screen at_y(y) to screen at_x(x + 36), screen at_y(y) nohead \
        lc rgb '#909090' lw 1.4
    set label goal at screen at_x(x + 42), screen at_y(y) left font small
}

# --- The panels -----------------------------------------------------------------------------------
# The number of workgroups is named where it was measured, unless it would touch another name.
groups_of(word) = word[1:strstrt(word, '|') - 1] + 0.0
share_of(word) = word[strstrt(word, '|') + 1:*]
tic_width(word) = 3.8 * higher(strlen(sprintf('%.6g', groups_of(word))), strlen(share_of(word))) + 5

# Heights of goals' names.
in_pixels(a, b) = pixels_y * abs(log10(a / b))
beside(a, b) = in_pixels(a, b) > 13 ? a : b * 10 ** ((a < b ? -13 : 13) / pixels_y)

told(m) = (strcol(7) eq 'none' ? 'no barriers' : strcol(7)) . ', ' . strcol(6) . "\nmedian " \
    . tip_time_of(10) . tip_if(11, ', 95th percentile ' . tip_time(tip_value(11))) . "\n" . tip_groups($8)
tips = tip_layer('for [m in members] data index int(m) - 1 using ($8 * dodge(int(m))):10:(told(m))')

set multiplot
do for [d = 1:devices] {
    span_y = log10(y_max[d] / y_min[d])
    room = higher(0.03 + 0.04 * span_y, (0.8 - span_y) / 2) # for two names of levels
    set yrange [y_min[d] / 10 ** room:y_max[d] * 10 ** room]
    pixels_y = plot_height / (span_y + 2 * room)
    named_row = -1 # the levels have names at the first panel of a row
    do for [p = 1:kernels] {
        q = panel(d, p)
        members = ''
        gathers = 0
        execs = 0
        do for [i = 1:blocks] {
            if (device[i] == d && kernel[i] == p) {
                members = members . sprintf(' %d', i)
                rank[i] = time[i] == 1 ? gathers : execs
                gathers = gathers + (time[i] == 1)
                execs = execs + (time[i] == 2)
            }
        }
        if (members ne '') {
            place = spot[q]
            row = floor((place - 1) / columns)
            is_last = place % columns == 0 || place == used[d]
            set ytics nomirror ('' 1) font small
            do for [e = 0:12] {
                do for [m = 1:9] { # a short axis also names 2 and 5
                    value = m * 10.0 ** e
                    minor = m > 1 && (span_y + 2 * room >= 2.6 || (m != 2 && m != 5))
                    text = minor || row == named_row ? '' : unit(value)
                    set ytics add (text value minor)
                }
            }
            named_row = row

            span_x = higher(log10(x_max[q] / x_min[q]), log10(2))
            margin = 0.07 * span_x
            middle = sqrt(x_min[q] * x_max[q])
            set xrange [middle / 10 ** (span_x / 2 + margin):middle * 10 ** (span_x / 2 + margin)]
            pixels_x = width / (span_x + 2 * margin)
            set xtics nomirror font small noenhanced
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
            set xtics ('' x_min[q] / 1e3) # none of its own
            do for [word in taken] {
                set xtics add (sprintf("%.6g\n%s", groups_of(word), share_of(word)) groups_of(word))
            }

            set lmargin at screen at_x(panel_left(place))
            set rmargin at screen at_x(panel_left(place) + width)
            set tmargin at screen at_y(panel_top(d, place))
            set bmargin at screen at_y(panel_top(d, place) - plot_height)
            set label cut(panel_title[p], floor(width / 8)) at graph 0.5, \
                screen at_y(panel_top(d, place) + 12) center font small noenhanced

            # Goals, with their names at the right end of a row of panels.
            named = ''
            places = '' # of the names: those that would touch are moved apart
            do for [m in members] {
                goal_ns = period[int(m)]
                if (goal_ns > 0) {
                    set arrow from graph 0, first goal_ns to graph 1, first goal_ns nohead back \
                        lc rgb '#909090' lw 1.4
                    free = is_last
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

            # Points of one number of workgroups stand side by side: nothing hides the others.
            most(i) = time[i] == 1 ? gathers : execs
            dodge(i) = 10 ** ((rank[i] - (most(i) - 1) / 2.0) * 5 / pixels_x)
            plot for [m in members] data index int(m) - 1 \
                    using ($8 * dodge(int(m))):10:(0): \
                    (time[int(m)] == 1 && known(11) > $10 ? $11 - $10 : NaN) \
                    with vectors heads size screen 0.003, 90 lw 1 \
                    lc rgb color(time[int(m)], line[int(m)]), \
                for [m in members] data index int(m) - 1 using ($8 * dodge(int(m))):10 \
                    with linespoints lc rgb color(time[int(m)], line[int(m)]) lw 1.6 \
                    dt dash(time[int(m)], line[int(m)]) pt shape(time[int(m)], line[int(m)]) ps 0.8 @tips
            unset label # they need no second drawing
            unset arrow
        }
    }
}
unset multiplot
