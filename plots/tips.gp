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

