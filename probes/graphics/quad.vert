// SPDX-License-Identifier: Apache-2.0
//
// A rectangle of the target. rect: left, bottom, width, height in pixels; part: the same of the
// texture, from 0 to 1; target: the target's size in pixels.
attribute vec2 corner;
uniform vec4 rect;
uniform vec4 part;
uniform vec2 target;
varying vec2 at;

void main()
{
    at = part.xy + corner * part.zw;
    gl_Position = vec4((rect.xy + corner * rect.zw) / target * 2.0 - 1.0, 0.0, 1.0);
}
