#define POSITION o0
vs_3_0
dcl_position0 v0
dcl_position POSITION
dcl_texcoord3 o1.xy
dcl_2d s0
rep i0
texldl r0, v0, s0
breakp p0.x
endrep
mov POSITION, r0
mov o[a0.w + 1].xy, v0[aL]
