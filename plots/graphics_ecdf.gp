# SPDX-License-Identifier: Apache-2.0
#
# Distributions of the times of frames, without kernels and beside kernels of the time that
# 'coopbench graphics' has found. A panel for each scene of each device. Variables: data, out, term
# ('svg' or 'png'), title. A block of the data is a curve, two of them a panel; the first line names
# the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
stats data using 7 nooutput
blocks = STATS_blocks
low = STATS_min
high = STATS_max
array panel[blocks]
array with[blocks]
panels = 0
do for [i = 1:blocks] {
    stats data index i - 1 using (panel[i] = int($1), with[i] = int($6), 0) nooutput
    panels = panel[i] > panels ? panel[i] : panels
}
array device[panels]
array scene[panels]
array chosen[panels] # 0: there is no t
array period[panels]
do for [i = 1:blocks] {
    p = panel[i]
    stats data index i - 1 using (device[p] = strcol(2), scene[p] = strcol(3), period[p] = $5, \
        chosen[p] = strcol(4) eq 'NaN' ? 0 : $4, 0) nooutput
    high = period[p] > high ? period[p] : high
}

# --- Canvas, in pixels of one 960 wide ------------------------------------------------------------
columns = panels < 3 ? panels : 3
rows = (panels + columns - 1) / columns
panel_height = 250.0
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
array color[2] = ['#1f6fb4', '#d9541e']
array name[2] = ['without kernels', 'beside kernels of t']
set border 3 lc rgb '#404040'
set grid xtics ytics lc rgb '#d4d4d4' lw 0.7, lc rgb '#d4d4d4' lw 0
set logscale x 10
set xrange [low * 0.8:high * 1.25]
set yrange [0:1.02]
set xtics nomirror ('' 1) font small
do for [e = 3:9] {
    do for [m = 1:9] {
        value = m * 10.0 ** e
        minor = m > 1 && (high / low > 60 || (m != 2 && m != 5))
        set xtics add ((minor ? '' : unit(value)) value minor)
    }
}
unset key
set label 1 title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
set label 2 'Share of the frames' at screen at_x(18), screen 0.5 center rotate by 90
set label 3 'Time of a frame, at most' at screen 0.5, screen at_y(48) center
do for [k = 1:2] {
    set arrow 10 + k from screen at_x(90 + 200 * (k - 1)), screen at_y(18) \
        to screen at_x(120 + 200 * (k - 1)), screen at_y(18) nohead lc rgb color[k] lw 1.8
    set label 10 + k name[k] at screen at_x(126 + 200 * (k - 1)), screen at_y(18) left font small
}
set arrow 13 from screen at_x(505), screen at_y(12) to screen at_x(505), screen at_y(26) nohead \
    lc rgb '#909090' lw 1.4
set label 13 'deadline' at screen at_x(512), screen at_y(18) left font small

# --- The panels -----------------------------------------------------------------------------------
cut(s, n) = strlen(s) > n ? s[1:n - 3] . '...' : s
told(i) = name[with[int(i)] + 1] . "\n" . sprintf('%.4g %% of the frames within ', 100 * $8) . tip_time($7)
tips = tip_layer('for [i in curves] data index int(i) - 1 using 7:8:(told(i))')

set multiplot
do for [p = 1:panels] {
    set lmargin at screen at_x(left(p))
    set rmargin at screen at_x(left(p) + width)
    set tmargin at screen at_y(top(p))
    set bmargin at screen at_y(top(p) - panel_height)
    if ((p - 1) % columns == 0) {
        set ytics nomirror 0.25 format '%g' font small
    } else {
        set ytics nomirror 0.25 format '' font small
    }
    heading = chosen[p] > 0 ? sprintf('%s, t = %.3g ms', scene[p], chosen[p] / 1e6) \
        : scene[p] . ', no t'
    set label 40 heading at graph 0, graph 1 left offset 0, 1.6 noenhanced
    set label 41 cut(device[p], floor(width / 7)) at graph 0, graph 1 left offset 0, 0.6 \
        font small noenhanced tc rgb '#606060'
    set arrow 42 from first period[p], graph 0 to first period[p], graph 1 nohead back \
        lc rgb '#909090' lw 1.4
    curves = ''
    do for [i = 1:blocks] {
        if (panel[i] == p) {
            curves = curves . sprintf(' %d', i)
        }
    }
    plot for [i in curves] data index int(i) - 1 using 7:8 with steps \
        lc rgb color[with[int(i)] + 1] lw 1.8 @tips
    do for [k = 1:13] { # they need no second drawing
        unset label k
        unset arrow k
    }
}
unset multiplot
