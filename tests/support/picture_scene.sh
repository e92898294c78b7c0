# tests/support/picture_scene.sh: sourced by scripts that show pictures with a scene: prints its shaders, which draw texture 0
# over each rectangle.
picture_shaders() {
  cat <<'SCENE'
[vertex shader tgsi]
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
0: MOV OUT[0], IN[0]
1: MOV OUT[1], IN[1]
2: END
[fragment shader tgsi]
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
0: TEX OUT[0], IN[0], SAMP[0], 2D
1: END
SCENE
}
