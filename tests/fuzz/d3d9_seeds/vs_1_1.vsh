vs.1.1
dcl_position v0
dcl_normal1 v3
def c4, 0.5, -1, 2e3, 1.#INF
mov a0.x, v3.x
m4x4 oPos, v0, c0
add r0, c[a0.x + 8], -v3.wzyx
frc r1.xy, r0
expp r2, r0.w
lit oD0, r2
mov oT0.xy, r1
mov oFog.x, c4.y
