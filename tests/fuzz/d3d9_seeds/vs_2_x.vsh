vs_2_x
dcl_position v0
defi i0, 4, 0, -1, 0
defb b3, true
mova a0.xy, v0
loop aL, i0
add r0, v0, c[aL + 2]
endloop
setp_gt p0, r0.x, c1
(!p0.y) mul r0.xz, r0, c[a0.y + 3]
if !b3
sincos r1.xy, r0.x, c2, c3
else
call l1
endif
callnz l1, p0.x
mov oPos, r0
ret
label l1
sgn r0, r0, r2, r3
break_le r0.x, c1.y
ret
end
