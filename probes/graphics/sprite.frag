// SPDX-License-Identifier: Apache-2.0
//
// A piece of a texture: icons, windows, the desktop under them. tint: multiplies its colour.
#ifdef GL_FRAGMENT_PRECISION_HIGH
precision highp float;
#else
precision mediump float;
#endif
uniform sampler2D image;
uniform vec4 tint;
varying vec2 at;

void main()
{
    gl_FragColor = texture2D(image, at) * tint;
}
