"""The few shaders, in GLSL 1.20 so that old and software OpenGL run them too.

All of them know the level cut (`cut`: nothing above that height is drawn) and the light of the board (`sky`, a 3D
texture of how much sky and sun each place sees, see relief.py).
"""

from __future__ import annotations

from typing import Any

from panda3d import core

_LIGHT = """
uniform sampler3D sky;
uniform vec3 sky_low;
uniform vec3 sky_size;
uniform float sky_cell;
uniform vec3 sun;
uniform float shadows;

float lit(vec3 place, vec3 normal) {
    vec3 share = texture3D(sky, (place + normal * sky_cell * 1.1 - sky_low) / sky_size).rgb;
    float key = max(0.0, dot(normal, sun)) * mix(1.0, smoothstep(0.15, 0.85, share.g), shadows);
    float round_about = 0.5 + 0.5 * normal.z;
    return (0.36 + 0.36 * share.r) * mix(0.84, 1.0, round_about) + 0.40 * key;
}
"""

_SOLID_VERTEX = """#version 120
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform mat4 p3d_ModelMatrix;
attribute vec4 p3d_Vertex;
attribute vec3 p3d_Normal;
attribute vec4 p3d_Color;
varying vec3 place;
varying vec3 normal;
varying vec4 colour;
uniform vec4 p3d_ColorScale;
uniform float toward;
void main() {
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
    gl_Position.z -= toward * gl_Position.w;
    place = (p3d_ModelMatrix * p3d_Vertex).xyz;
    normal = mat3(p3d_ModelMatrix) * p3d_Normal;
    colour = p3d_Color * p3d_ColorScale;
}
"""

_SOLID_FRAGMENT = (
    """#version 120
varying vec3 place;
varying vec3 normal;
varying vec4 colour;
uniform float cut;
uniform vec3 eye;
"""
    + _LIGHT
    + """
void main() {
    if (place.z > cut) discard;
    vec3 facing = normalize(normal);
    bool behind = dot(facing, eye - place) < 0.0;
    if (behind) facing = -facing;
    gl_FragColor = vec4(colour.rgb * lit(place, facing), colour.a);
}
"""
)

_FACET_VERTEX = """#version 120
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform mat4 p3d_ModelMatrix;
attribute vec4 p3d_Vertex;
attribute vec4 p3d_Color;
varying vec3 place;
varying vec4 colour;
uniform vec4 p3d_ColorScale;
uniform float toward;
void main() {
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
    gl_Position.z -= toward * gl_Position.w;
    place = (p3d_ModelMatrix * p3d_Vertex).xyz;
    colour = p3d_Color * p3d_ColorScale;
}
"""

_FACET_FRAGMENT = (
    """#version 120
varying vec3 place;
varying vec4 colour;
uniform float cut;
uniform vec3 eye;
"""
    + _LIGHT
    + """
void main() {
    if (place.z > cut) discard;
    // The face's own normal, from how its points run on over the picture; turned towards the eye.
    vec3 facing = cross(dFdx(place), dFdy(place));
    float size = length(facing);
    facing = size > 0.0 ? facing / size : vec3(0.0, 0.0, 1.0);
    if (dot(facing, eye - place) < 0.0) facing = -facing;
    gl_FragColor = vec4(colour.rgb * lit(place, facing), colour.a);
}
"""
)

_PLAIN_FRAGMENT = """#version 120
varying vec3 place;
varying vec3 normal;
varying vec4 colour;
uniform float cut;
void main() {
    if (place.z > cut + 0.01) discard;
    gl_FragColor = colour;
}
"""

_COUNTED_FRAGMENT = """#version 120
varying vec3 place;
uniform float cut;
void main() {
    if (place.z > cut) discard;
    gl_FragColor = vec4(1.0);
}
"""

_SECTION_FRAGMENT = """#version 120
varying vec3 place;
varying vec3 normal;
varying vec4 colour;
void main() {
    float wave = abs(fract((place.x - place.y) / 0.30) - 0.5) * 0.30;
    float width = max(fwidth(place.x - place.y), 1e-5);
    float stripe = 1.0 - smoothstep(0.03 - width * 0.5, 0.03 + width * 0.5, wave);
    gl_FragColor = vec4(mix(colour.rgb, colour.rgb * 1.45, stripe), 1.0);
}
"""

_REACH_VERTEX = """#version 120
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform float toward;
attribute vec4 p3d_Vertex;
attribute vec4 p3d_MultiTexCoord0;
varying vec3 place;
varying vec3 value;
void main() {
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
    gl_Position.z -= toward * gl_Position.w;
    place = p3d_Vertex.xyz;
    value = p3d_MultiTexCoord0.xyz;
}
"""

_REACH_FRAGMENT = (
    """#version 120
varying vec3 place;
varying vec3 value;
uniform float cut;
uniform float band;
uniform float allowance;
uniform int bands;
uniform vec3 colours[6];
uniform vec3 test;
uniform float line;
uniform float opacity;
uniform float presence;
"""
    + _LIGHT
    + """
void main() {
    if (place.z > cut + 0.05) discard;
    if (value.z < 0.0) discard;
    float cost = value.x;
    int index = int(clamp(floor((cost - 0.001) / band), 0.0, float(bands - 1)));
    vec3 base = colours[0];
    for (int k = 1; k < 6; ++k) if (k == index) base = colours[k];
    float shade = mix(1.0, lit(place, vec3(0.0, 0.0, 1.0)), 0.40);
    float run = max(length(vec2(dFdx(cost), dFdy(cost))), 1e-5);
    float nearest = abs(cost - floor(cost + 0.5)) / run;
    float contour = (cost > 0.5 && cost < allowance - 0.25 && run < 0.5) ? 1.0 - smoothstep(line * 0.5, line * 0.5 + 1.0, nearest) : 0.0;
    vec3 painted = base;
    float solid = opacity;
    if (value.y < 0.0) {
        float wave = abs(fract((place.x + place.y) / 0.36) - 0.5) * 0.36;
        float width = max(length(vec2(dFdx(place.x + place.y), dFdy(place.x + place.y))), 1e-5);
        float stripe = 1.0 - smoothstep(0.055 - width * 0.5, 0.055 + width * 0.5, wave);
        painted = mix(mix(painted, vec3(1.0), 0.45), test, stripe);
        solid = mix(solid, 0.95, stripe);
    }
    painted = mix(painted, vec3(0.08, 0.09, 0.12), contour * 0.55);
    float run_edge = max(fwidth(value.z), 1e-6);
    float rim = 1.0 - smoothstep(line * 0.8, line * 0.8 + 1.0, value.z / run_edge);
    vec3 rim_colour = value.y < 0.0 ? test : vec3(0.10, 0.12, 0.16);
    painted = mix(painted, rim_colour, rim * 0.85);
    // Where tested and certain ground meet, one even line.
    float run_sure = max(fwidth(value.y), 1e-6);
    float seam = 1.0 - smoothstep(line * 0.8, line * 0.8 + 1.0, abs(value.y) / run_sure);
    painted = mix(painted, test, seam * 0.85);
    solid = max(solid, seam * 0.95);
    solid = max(solid, max(rim, contour * 0.9) * 0.95);
    gl_FragColor = vec4(painted * shade, solid * presence);
}
"""
)


_TINT_FRAGMENT = """#version 120
varying vec3 place;
varying vec3 value;
uniform float cut;
uniform vec4 tint;
void main() {
    if (place.z > cut + 0.05) discard;
    float edge = max(fwidth(value.z), 1e-6);
    float inside = clamp(value.z / edge + 0.5, 0.0, 1.0);
    if (inside <= 0.0) discard;
    float rim = 1.0 - smoothstep(1.0, 2.0, value.z / edge);
    gl_FragColor = vec4(mix(tint.rgb, tint.rgb * 0.55, rim), mix(tint.a, 0.95, rim) * inside);
}
"""

_COPIED_VERTEX = """#version 120
attribute vec4 p3d_Vertex;
attribute vec2 p3d_MultiTexCoord0;
varying vec2 at;
void main() {
    gl_Position = vec4(p3d_Vertex.x, p3d_Vertex.z, 0.0, 1.0);
    at = p3d_MultiTexCoord0;
}
"""

_COPIED_FRAGMENT = """#version 120
varying vec2 at;
uniform sampler2D colours;
uniform sampler2D depths;
void main() {
    gl_FragColor = texture2D(colours, at);
    gl_FragDepth = texture2D(depths, at).r;
}
"""


def copied() -> Any:
    """A picture that was drawn before, with its depths."""
    return core.Shader.make(core.Shader.SL_GLSL, _COPIED_VERTEX, _COPIED_FRAGMENT)


def tint() -> Any:
    """One even colour with a rim over an area whose border is where the third value is 0."""
    return core.Shader.make(core.Shader.SL_GLSL, _REACH_VERTEX, _TINT_FRAGMENT)


def solid() -> Any:
    """Faces lit by sky and sun, both sides shown."""
    return core.Shader.make(core.Shader.SL_GLSL, _SOLID_VERTEX, _SOLID_FRAGMENT)


def facets() -> Any:
    """Faces lit by sky and sun that share their corners: normals come from the picture itself."""
    return core.Shader.make(core.Shader.SL_GLSL, _FACET_VERTEX, _FACET_FRAGMENT)


def counted() -> Any:
    """Faces that are only counted, as far as a cut leaves them."""
    return core.Shader.make(core.Shader.SL_GLSL, _FACET_VERTEX, _COUNTED_FRAGMENT)


def section() -> Any:
    """The hatched section of solids that a cut has opened."""
    return core.Shader.make(core.Shader.SL_GLSL, _SOLID_VERTEX, _SECTION_FRAGMENT)


def plain() -> Any:
    """Lines and flat marks in their own colour."""
    return core.Shader.make(core.Shader.SL_GLSL, _SOLID_VERTEX, _PLAIN_FRAGMENT)


def reach() -> Any:
    """The reach: cost bands, lines at full inches, stripes where a test is needed, a rim at its border."""
    return core.Shader.make(core.Shader.SL_GLSL, _REACH_VERTEX, _REACH_FRAGMENT)
