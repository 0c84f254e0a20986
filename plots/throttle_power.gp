# SPDX-License-Identifier: Apache-2.0
#
# Power and active workgroups over time: an app that goes through a schedule, or that holds a power
# cap. Each launch has a panel for its power, and one below it for its workgroups. Variables: data,
# out, term ('svg' or 'png'), title. A block of the data is a launch; the first line of the data
# names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
higher(a, b) = b > a ? b : a
known(c) = strcol(c) eq 'nan' ? 0 : column(c) # a NaN would hide its row from stats
stats data using 1 name 'launch' nooutput
launches = launch_blocks
array label[launches]
array seconds[launches]
array power[launches]
array groups[launches]
array idle[launches]
array cap[launches] # 0: none
do for [i = 1:launches] {
    seconds[i] = 0
    power[i] = 0
    groups[i] = 1
    stats data index i - 1 using (label[i] = strcol(2), seconds[i] = higher(seconds[i], $3), \
        power[i] = higher(power[i], $4), groups[i] = higher(groups[i], $5), idle[i] = known(6), \
        cap[i] = known(7), 0) nooutput
}

# --- Canvas, in pixels of one 900 wide: two panels per launch ------------------------------------
left_end = 74.0
right_end = 822.0
above = 30.0 # a launch: its name
power_height = 170.0
groups_height = 70.0
between = 14.0
below = 48.0 # a launch: its numbers
launch_height = above + power_height + between + groups_height + below
height = 44 + launches * launch_height
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
top(i) = height - 44 - (i - 1) * launch_height - above
groups_top(i) = top(i) - power_height - between

# --- What all panels share ------------------------------------------------------------------------
small = term eq 'svg' ? ',12' : ',10' # look alike
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7
set tics nomirror font small
unset key
cut(s, n) = strlen(s) > n ? s[1:n - 18] . '...' . s[strlen(s) - 14:*] : s
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
do for [i = 1:launches] {
    set label cut(label[i], 100) at screen at_x(left_end), screen at_y(top(i) + 14) left noenhanced
    set label 'W' at screen at_x(24), screen at_y(top(i) - power_height / 2) center
    set label 'active' at screen at_x(24), screen at_y(groups_top(i) - groups_height / 2) center \
        font small
    set label 's' at screen at_x((left_end + right_end) / 2), \
        screen at_y(groups_top(i) - groups_height - 36) center font small
}

# --- The panels -----------------------------------------------------------------------------------
told_power(unused) = tip_in($4, 'W') . sprintf(' at %.4g s', $3)
told_groups(unused) = tip_groups($5) . sprintf(' at %.4g s', $3)
power_tips = tip_layer('data index i - 1 using 3:4:(told_power(0))')
groups_tips = tip_layer('data index i - 1 using 3:5:(told_groups(0))')

set multiplot
do for [i = 1:launches] {
    set lmargin at screen at_x(left_end)
    set rmargin at screen at_x(right_end)
    set xrange [0:seconds[i]]
    set tmargin at screen at_y(top(i))
    set bmargin at screen at_y(top(i) - power_height)
    set format x ''
    set ytics autofreq
    set yrange [0:higher(power[i], cap[i]) * 1.08]
    if (cap[i] > 0) {
        set label 1001 'cap' at graph 1, first cap[i] left offset 0.6, 0 font small tc rgb '#d55e00'
    }
    if (idle[i] > 0) {
        set label 1002 'idle' at graph 1, first idle[i] left offset 0.6, 0 font small \
            tc rgb '#606060'
    }
    plot data index i - 1 using 3:6 with lines dt 3 lc rgb '#606060', \
        data index i - 1 using 3:7 with lines dt 2 lw 1.4 lc rgb '#d55e00', \
        data index i - 1 using 3:4 with lines lw 1.6 lc rgb '#1f77b4' @power_tips
    unset label # they need no second drawing
    set format x '%g'
    set tmargin at screen at_y(groups_top(i))
    set bmargin at screen at_y(groups_top(i) - groups_height)
    set yrange [0:groups[i] * 1.1]
    set ytics (0, groups[i])
    plot data index i - 1 using 3:5 with steps lw 1.6 lc rgb '#009e73' @groups_tips
}
unset multiplot
