# SPDX-License-Identifier: Apache-2.0
#
# What a running app loses and the device saves with fewer active workgroups: progress, power, and
# progress per watt. Each device has a row of three panels, or of one where no power was measured,
# and a curve for each app. Variables: data, out, term ('svg' or 'png'), title. A block of the data
# is a curve; the first line of the data names the columns.

set encoding utf8
set datafile separator tab

# --- What the data holds --------------------------------------------------------------------------
# (stats obeys the ranges of axes, so it comes before them)
higher(a, b) = b > a ? b : a
known(c) = strcol(c) eq 'NaN' ? 0 : column(c) # a NaN would hide its row from stats
stats data using 1 name 'device' nooutput
blocks = device_blocks
devices = int(device_max) + 1
array device[blocks]
array rank[blocks]       # of a curve on its device
array app[blocks]
array per_watt[blocks]   # runs per joule with the most workgroups
array label[devices]
array curves[devices]
array most[devices]      # workgroups
array power[devices]     # W; 0: not measured
array progress[devices]
array efficient[devices] # whether a curve has its runs per joule
do for [d = 1:devices] {
    efficient[d] = 0
    curves[d] = 0
    most[d] = 1
    power[d] = 0
    progress[d] = 1
}
do for [i = 1:blocks] {
    per_watt[i] = 0
    stats data index i - 1 using (d = $1 + 1, device[i] = d, label[d] = strcol(2), \
        app[i] = strcol(3), most[d] = higher(most[d], $4), progress[d] = higher(progress[d], $5), \
        power[d] = higher(power[d], known(6)), \
        per_watt[i] = known(8) > 0 && $5 == 1 ? known(8) : per_watt[i], 0) nooutput
    curves[device[i]] = curves[device[i]] + 1
    efficient[device[i]] = efficient[device[i]] || per_watt[i] > 0
    rank[i] = curves[device[i]]
}

# --- Canvas, in pixels of one 900 wide: a row of panels per device ---------------------------------
left_end = 62.0
right_end = 882.0
gap = 58.0
plot_height = 230.0
above = 50.0 # a row: its device and the names of its panels
below = 46.0 # a row: its numbers
row_height = above + plot_height + below
height = 44 + devices * row_height
width = (right_end - left_end - 2 * gap) / 3
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
top(d) = height - 44 - (d - 1) * row_height - above

# --- What all panels share ------------------------------------------------------------------------
small = term eq 'svg' ? ',12' : ',10' # look alike
array colour[6] = ['#1f77b4', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#666666']
array shape[6] = [7, 5, 9, 13, 11, 3]
of(k) = (k - 1) % 6 + 1
cut(s, n) = strlen(s) > n ? s[1:n - 18] . '...' . s[strlen(s) - 14:*] : s
set border 3 lc rgb '#404040'
set grid ytics lc rgb '#d4d4d4' lw 0.7
set tics nomirror font small
set label title at screen 0.5, screen at_y(height - 20) center font ',14' noenhanced
do for [d = 1:devices] {
    set label cut(label[d], 90) at screen at_x(left_end), screen at_y(top(d) + 34) left noenhanced
}

# --- The panels -----------------------------------------------------------------------------------
array head[3] = ['progress, % of that with most', 'power, W (dashed: idle)', \
    'progress per watt, % (most: 100)']
told(m, text) = app[int(m)] . "\n" . text . "\nwith " . tip_groups($4)
of_most(m) = tip_known(8) && per_watt[int(m)] > 0 ? column(8) / per_watt[int(m)] * 100 : 1
told_progress(m) = told(m, sprintf('progress: %.4g %% of that with most', $5 * 100))
told_power(m) = told(m, 'power: ' . tip_in(tip_value(6), 'W') . tip_if(7, ', idle ' . tip_in(tip_value(7), 'W')))
told_efficiency(m) = told(m, sprintf('progress per watt: %.4g %% of that with most', of_most(m)))
of_app = 'for [m in list] data index int(m) - 1 using 4:'
progress_tips = tip_layer(of_app . '($5 * 100):(told_progress(m))')
power_tips = tip_layer(of_app . '(tip_value(6)):(told_power(m))')
efficiency_tips = tip_layer(of_app . '(of_most(m)):(told_efficiency(m))')

set multiplot
do for [d = 1:devices] {
    list = ''
    do for [i = 1:blocks] {
        list = device[i] == d ? list . sprintf(' %d', i) : list
    }
    do for [panel = 1:(power[d] > 0 ? 2 + efficient[d] : 1)] {
        left = left_end + (panel - 1) * (width + gap)
        set lmargin at screen at_x(left)
        set rmargin at screen at_x(left + width)
        set tmargin at screen at_y(top(d))
        set bmargin at screen at_y(top(d) - plot_height)
        set label 1001 head[panel] at screen at_x(left), screen at_y(top(d) + 12) left font small
        set label 1002 'active workgroups' at screen at_x(left + width / 2), \
            screen at_y(top(d) - plot_height - 36) center font small
        set xrange [0:most[d] * 1.04]
        set xtics autofreq
        set ytics autofreq
        if (panel == 1) {
            set key at graph 0.98, graph 0.04 right bottom font small samplen 2 noenhanced
            set yrange [0:progress[d] * 108]
            plot for [m in list] data index int(m) - 1 using 4:($5 * 100) with linespoints \
                lc rgb colour[of(rank[int(m)])] pt shape[of(rank[int(m)])] lw 1.6 ps 0.8 \
                title app[int(m)] @progress_tips
        }
        if (panel == 2) {
            unset key
            set yrange [0:power[d] * 1.08]
            plot for [m in list] data index int(m) - 1 using 4:6 with linespoints \
                    lc rgb colour[of(rank[int(m)])] pt shape[of(rank[int(m)])] lw 1.6 ps 0.8, \
                for [m in list] data index int(m) - 1 using 4:7 with lines dt 2 \
                    lc rgb colour[of(rank[int(m)])] @power_tips
        }
        if (panel == 3) {
            set yrange [0:*]
            plot for [m in list] data index int(m) - 1 \
                using 4:(per_watt[int(m)] > 0 ? $8 / per_watt[int(m)] * 100 : NaN) \
                with linespoints lc rgb colour[of(rank[int(m)])] pt shape[of(rank[int(m)])] \
                lw 1.6 ps 0.8 @efficiency_tips
        }
        unset label # they need no second drawing
    }
}
unset multiplot
