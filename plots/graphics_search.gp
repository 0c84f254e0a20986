# SPDX-License-Identifier: Apache-2.0
#
# The search of 'coopbench graphics': time of the frames against the time of the kernels beside
# them. A panel for each scene of each device. Variables: data, out, term ('svg' or 'png'), title. A
# block of the data is a panel, a row a kernel that was tried; the first line names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
stats data using 6 nooutput
panels = STATS_blocks
t_min = STATS_min
t_max = STATS_max
stats data using 7 nooutput
low = STATS_min
stats data using 8 nooutput
high = STATS_max
array device[panels]
array scene[panels]
array chosen[panels] # 0: there is no t
array period[panels]
do for [i = 1:panels] {
    chosen[i] = 0
    stats data index i - 1 using (device[i] = strcol(2), scene[i] = strcol(3), \
        period[i] = $5, chosen[i] = strcol(4) eq 'NaN' ? 0 : $4, 0) nooutput
    high = period[i] > high ? period[i] : high
}

# --- Canvas, in pixels of one 960 wide ------------------------------------------------------------
columns = panels < 3 ? panels : 3
rows = (panels + columns - 1) / columns
panel_height = 290.0
foot = 92.0
height = 44 + rows * (panel_height + 76) + foot - 40
if (term eq 'svg') {
    set terminal svg size 960,height dynamic background 'white' font 'sans-serif,13'
} else {
    if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
        set terminal pngcairo size 1920,2 * height background 'white' font 'Sans,11' \
            fontscale 2 linewidth 2 pointscale 2
    } else {
        set terminal png size 960,height background 'white' medium
    }
}
set output out
at_x(pixels) = pixels / 960.0
at_y(pixels) = pixels / (1.0 * height) # from the bottom
width = (960 - 80 - 20) / columns - 24.0
left(i) = 80 + ((i - 1) % columns) * (width + 24)
top(i) = height - 84 - int((i - 1) / columns) * (panel_height + 76)

# --- Axes and legend ------------------------------------------------------------------------------
unit(ns) = ns < 1e6 ? sprintf('%g µs', ns / 1e3) : ns < 1e9 ? sprintf('%g ms', ns / 1e6) \
    : sprintf('%g s', ns / 1e9)
small = term eq 'svg' ? ',12' : ',10' # look alike
set border 3 lc rgb '#404040'
set grid xtics ytics lc rgb '#d4d4d4' lw 0.7, lc rgb '#d4d4d4' lw 0
set logscale xy 10
set xrange [t_min * 0.7:t_max * 1.4]
set yrange [low * 0.7:high * 1.4]
set xtics nomirror ('' 1) font small
do for [e = 3:9] {
    do for [m = 1:9] {
        value = m * 10.0 ** e
        minor = m > 1
        set xtics add ((minor ? '' : unit(value)) value minor)
    }
}
unset key
set label 1 title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
set label 2 'Time of a frame' at screen at_x(18), screen 0.5 center rotate by 90
set label 3 'Time of the kernels' at screen 0.5, screen at_y(48) center
array name[4] = ['median', '99th percentile', 'seen', 'limit']
array shape[4] = [9, 7, 6, 0]
array color[4] = ['#8a8a8a', '#1f6fb4', '#d9541e', '#1f6fb4']
do for [k = 1:3] {
    set label 10 + k '' at screen at_x(90 + 130 * (k - 1)), screen at_y(18) \
        point pt shape[k] ps 0.8 lc rgb color[k]
    set label 20 + k name[k] at screen at_x(102 + 130 * (k - 1)), screen at_y(18) left font small
}
set arrow 31 from screen at_x(440), screen at_y(18) to screen at_x(470), screen at_y(18) nohead \
    lc rgb color[4] dt 2 lw 1.2
set label 31 'undisturbed, with margin' at screen at_x(476), screen at_y(18) left font small
set arrow 32 from screen at_x(690), screen at_y(18) to screen at_x(720), screen at_y(18) nohead \
    lc rgb '#909090' lw 1.4
set label 32 'deadline' at screen at_x(726), screen at_y(18) left font small
set arrow 33 from screen at_x(820), screen at_y(12) to screen at_x(820), screen at_y(26) nohead \
    lc rgb '#2e8b57' lw 1.8
set label 33 't' at screen at_x(828), screen at_y(18) left font small

# --- The panels -----------------------------------------------------------------------------------
cut(s, n) = strlen(s) > n ? s[1:n - 3] . '...' : s
told(name, c) = name . ' of frame times: ' . tip_time_of(c) . "\nbeside kernels of " . tip_time_of(6) \
    . "\nlimit: " . tip_time_of(9)
tips = tip_layer("data index i - 1 using 6:(tip_value(7)):(told('median', 7))") \
    . tip_layer("data index i - 1 using 6:(tip_value(8)):(told('99th percentile', 8))")

set multiplot
do for [i = 1:panels] {
    set lmargin at screen at_x(left(i))
    set rmargin at screen at_x(left(i) + width)
    set tmargin at screen at_y(top(i))
    set bmargin at screen at_y(top(i) - panel_height)
    first_column = (i - 1) % columns == 0
    set ytics nomirror ('' 1) font small
    do for [e = 3:9] {
        do for [m = 1:9] {
            value = m * 10.0 ** e
            minor = m > 1
            set ytics add ((minor || !first_column ? '' : unit(value)) value minor)
        }
    }
    set label 40 scene[i] at graph 0, graph 1 left offset 0, 1.6 noenhanced
    set label 41 cut(device[i], floor(width / 7)) at graph 0, graph 1 left offset 0, 0.6 \
        font small noenhanced tc rgb '#606060'
    set arrow 42 from graph 0, first period[i] to graph 1, first period[i] nohead back \
        lc rgb '#909090' lw 1.4
    unset arrow 43
    unset label 43
    if (chosen[i] > 0) {
        set arrow 43 from first chosen[i], graph 0 to first chosen[i], graph 1 nohead back \
            lc rgb '#2e8b57' lw 1.8
        set label 43 sprintf('t = %.3g ms', chosen[i] / 1e6) at first chosen[i], graph 0.03 \
            left offset 0.5, 0 font small tc rgb '#2e8b57'
        if (chosen[i] > sqrt(t_min * t_max)) {
            set label 43 right offset -0.5, 0
        }
    }
    plot data index i - 1 using 6:7 with points pt shape[1] ps 0.6 lc rgb color[1], \
        '' index i - 1 using 6:($10 < 0.5 ? $8 : NaN) with points pt shape[2] ps 0.8 \
            lc rgb color[2], \
        '' index i - 1 using 6:($10 > 0.5 ? $8 : NaN) with points pt shape[3] ps 0.9 lw 1.4 \
            lc rgb color[3], \
        '' index i - 1 using 6:9 smooth unique with lines lc rgb color[4] dt 2 lw 1.2 @tips
    do for [k = 1:33] { # they need no second drawing
        unset label k
        unset arrow k
    }
}
unset multiplot
