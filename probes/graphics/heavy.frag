// SPDX-License-Identifier: Apache-2.0
//
// An animated scene by ray marching: balls that melt into each other around a ring, over a
// chequered floor, with soft shadows. seconds: the time; size: of the target in pixels.
#ifdef GL_FRAGMENT_PRECISION_HIGH
precision highp float;
#else
precision mediump float;
#endif
uniform float seconds;
uniform vec2 size;

float melt(float a, float b, float k)
{
    float h = clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    return mix(b, a, h) - k * h * (1.0 - h);
}

// Distance from the bodies above the floor.
float bodies(vec3 p)
{
    float c = cos(seconds * 0.7), s = sin(seconds * 0.7);
    vec3 q = vec3(p.x, c * p.y - s * p.z, s * p.y + c * p.z);
    float d = length(vec2(length(q.xz) - 1.1, q.y)) - 0.22;
    for (int i = 0; i < 4; i++) {
        float turn = seconds * (0.6 + 0.2 * float(i)) + 1.57 * float(i);
        vec3 ball = vec3(1.2 * cos(turn), 0.7 * sin(turn * 1.3), 1.2 * sin(turn));
        d = melt(d, length(p - ball) - 0.36, 0.35);
    }
    return d;
}

float scene(vec3 p)
{
    return min(bodies(p), p.y + 1.3);
}

vec3 normal(vec3 p)
{
    vec2 e = vec2(0.002, 0.0);
    return normalize(vec3(scene(p + e.xyy) - scene(p - e.xyy), scene(p + e.yxy) - scene(p - e.yxy),
                          scene(p + e.yyx) - scene(p - e.yyx)));
}

float shadow(vec3 from, vec3 light)
{
    float lit = 1.0, t = 0.05;
    for (int i = 0; i < 20; i++) {
        float d = bodies(from + t * light);
        lit = min(lit, 9.0 * d / t);
        t += clamp(d, 0.05, 0.4);
    }
    return clamp(lit, 0.0, 1.0);
}

vec3 sky(vec3 ray)
{
    return mix(vec3(0.80, 0.85, 0.92), vec3(0.25, 0.42, 0.70), clamp(ray.y * 1.5 + 0.2, 0.0, 1.0));
}

vec3 shade(vec3 p, vec3 ray)
{
    vec3 light = normalize(vec3(0.6, 0.8, -0.4)), n = normal(p);
    float floor_tile = mod(floor(p.x) + floor(p.z), 2.0);
    vec3 color = p.y < -1.29 ? mix(vec3(0.35), vec3(0.75), floor_tile) : vec3(0.85, 0.36, 0.20);
    float shine = pow(max(dot(reflect(ray, n), light), 0.0), 24.0);
    float lit = max(dot(n, light), 0.0) * shadow(p + 0.01 * n, light);
    return color * (0.25 * sky(n) + lit) + 0.4 * shine * lit;
}

void main()
{
    vec2 at = (2.0 * gl_FragCoord.xy - size) / size.y;
    float turn = 0.25 * seconds;
    vec3 eye = vec3(4.2 * sin(turn), 1.0, -4.2 * cos(turn));
    vec3 ahead = normalize(vec3(0.0, -0.2, 0.0) - eye), right = normalize(cross(vec3(0, 1, 0), ahead));
    vec3 ray = normalize(at.x * right + at.y * cross(ahead, right) + 1.8 * ahead);
    float t = 0.5;
    for (int i = 0; i < 72; i++) {
        float d = scene(eye + t * ray);
        if (d < 0.002 || t > 20.0)
            break;
        t += d;
    }
    vec3 color = t > 20.0 ? sky(ray) : mix(shade(eye + t * ray, ray), sky(ray), 1.0 - exp(-0.004 * t * t));
    gl_FragColor = vec4(sqrt(color), 1.0);
}
