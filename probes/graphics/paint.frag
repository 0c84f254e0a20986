// SPDX-License-Identifier: Apache-2.0
//
// Paints the textures of the desktop, once. what: 0 the desktop's background, 1 icons, eight in a
// row, 2 a window, 3 a shadow, 4 the pointer. at goes from 0 to 1 over the texture.
#ifdef GL_FRAGMENT_PRECISION_HIGH
precision highp float;
#else
precision mediump float;
#endif
uniform int what;
varying vec2 at;

// Distance from a box with round corners, negative inside.
float box(vec2 p, vec2 size, float corner)
{
    vec2 d = abs(p) - size + corner;
    return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - corner;
}

vec4 background()
{
    float hills = 0.35 + 0.1 * sin(at.x * 7.0) + 0.05 * sin(at.x * 19.0 + 1.0);
    vec3 sky = mix(vec3(0.95, 0.62, 0.38), vec3(0.12, 0.23, 0.45), at.y);
    vec3 hill = mix(vec3(0.05, 0.14, 0.16), vec3(0.13, 0.31, 0.27), at.y / hills);
    return vec4(at.y < hills ? hill : sky, 1.0);
}

vec4 icon()
{
    float number = floor(at.x * 8.0);
    vec2 p = vec2(fract(at.x * 8.0), at.y) - 0.5;
    vec3 color = 0.5 + 0.4 * cos(number * 0.8 + vec3(0.0, 2.1, 4.2));
    float plate = box(p, vec2(0.42), 0.12);
    float sign = mod(number, 2.0) < 0.5 ? length(p) - 0.2 : box(p, vec2(0.22, 0.15), 0.03);
    color = mix(color + 0.25 * (p.y + 0.5), vec3(0.97), smoothstep(0.02, -0.02, sign));
    return vec4(color, smoothstep(0.02, -0.02, plate));
}

// Lines of words, each of its own length.
float text(vec2 p)
{
    float line = floor(p.y * 22.0), word = floor(p.x * 17.0 + line * 0.37);
    float ink = step(0.35, fract(p.y * 22.0)) * step(0.25, fract(p.x * 17.0 + line * 0.37));
    return ink * step(0.25, fract(sin(line * 12.9 + word * 78.2) * 4375.5)) *
           step(p.x, 0.6 + 0.35 * fract(line * 0.618));
}

vec4 window()
{
    vec2 p = at;
    vec3 color = mix(vec3(0.98), vec3(0.2), text((p - 0.05) / 0.9) * step(0.05, p.x) * step(p.y, 0.85));
    if (p.y > 0.9) {
        color = mix(vec3(0.30, 0.33, 0.38), vec3(0.42, 0.46, 0.52), (p.y - 0.9) * 10.0);
        color = mix(vec3(0.85, 0.35, 0.30), color, step(0.03, length((p - vec2(0.96, 0.95)) * vec2(1.5, 1.0))));
    }
    return vec4(color, 1.0);
}

vec4 shadow()
{
    return vec4(0.0, 0.0, 0.0, 0.5 * smoothstep(0.1, -0.1, box(at - 0.5, vec2(0.4), 0.1)));
}

vec4 pointer()
{
    vec2 p = vec2(at.x, 1.0 - at.y);
    float arrow = max(max(-p.x, p.x - p.y), p.y + 0.4 * p.x - 0.9);
    return vec4(vec3(step(arrow, -0.08)), step(arrow, 0.0));
}

void main()
{
    gl_FragColor = what == 0 ? background() : what == 1 ? icon() : what == 2 ? window()
                 : what == 3 ? shadow() : pointer();
}
