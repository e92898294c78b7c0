/* combiners/tsr_register_combiners.h: register combiners, texture environments, ATI fragment shaders and fog by their OpenGL
 * calls, in C, without a GL.
 *
 * The calls act on the calling thread's current combiner object:
 *
 *     TsrCombiners *combiners = tsrCreateCombiners();
 *     tsrMakeCombinersCurrent(combiners);
 *     tsrCombinerInputNV(GL_COMBINER0_NV, GL_RGB, GL_VARIABLE_A_NV, GL_TEXTURE0_ARB, GL_EXPAND_NORMAL_NV, GL_RGB);
 *
 * A port of an OpenGL program defines TSR_GL_NAMES first: then glCombinerInputNV and all others below are ours.
 * A real gl.h may be used too; include it before this header, which then defines only what it lacks.
 *
 * Errors: as in OpenGL. A call that is refused changes nothing and sets the error that tsrGetError returns and clears;
 * until then, later errors are dropped. Without a current object a call does nothing and the error is GL_INVALID_OPERATION.
 * Threads: each has its own current object; one object must not be used by two threads at once.
 */
#ifndef TSR_REGISTER_COMBINERS_H
#define TSR_REGISTER_COMBINERS_H

#if !defined(GL_VERSION_1_1) && !defined(__gl_h_) && !defined(__GL_H__)
typedef unsigned int GLenum;
typedef unsigned int GLuint;
typedef unsigned char GLboolean;
typedef int GLint;
typedef float GLfloat;
#endif

#ifndef GL_VERSION_1_1
#define GL_NO_ERROR                         0
#define GL_INVALID_ENUM                     0x0500
#define GL_INVALID_VALUE                    0x0501
#define GL_INVALID_OPERATION                0x0502
#define GL_FALSE                            0
#define GL_TRUE                             1
#define GL_ZERO                             0
#define GL_ONE                              1
#define GL_NONE                             0
#define GL_EXP                              0x0800
#define GL_EXP2                             0x0801
#define GL_FOG                              0x0B60
#define GL_FOG_DENSITY                      0x0B62
#define GL_FOG_START                        0x0B63
#define GL_FOG_END                          0x0B64
#define GL_FOG_MODE                         0x0B65
#define GL_FOG_COLOR                        0x0B66
#define GL_RED                              0x1903
#define GL_GREEN                            0x1904
#define GL_RGB                              0x1907
#define GL_ALPHA                            0x1906
#define GL_BLUE                             0x1905
#define GL_TEXTURE_ENV                      0x2300
#define GL_TEXTURE_ENV_MODE                 0x2200
#define GL_TEXTURE_ENV_COLOR                0x2201
#define GL_MODULATE                         0x2100
#define GL_DECAL                            0x2101
#define GL_BLEND                            0x0BE2
#define GL_REPLACE                          0x1E01
#define GL_ADD                              0x0104
#define GL_TEXTURE                          0x1702
#define GL_LINEAR                           0x2601
#define GL_ALPHA_SCALE                      0x0D1C
#define GL_SRC_COLOR                        0x0300
#define GL_ONE_MINUS_SRC_COLOR              0x0301
#define GL_SRC_ALPHA                        0x0302
#define GL_ONE_MINUS_SRC_ALPHA              0x0303
#endif

#ifndef GL_VERSION_1_3
#define GL_TEXTURE0                         0x84C0
#define GL_TEXTURE1                         0x84C1
#define GL_TEXTURE2                         0x84C2
#define GL_TEXTURE3                         0x84C3
#define GL_TEXTURE4                         0x84C4
#define GL_TEXTURE5                         0x84C5
#define GL_TEXTURE6                         0x84C6
#define GL_TEXTURE7                         0x84C7
#define GL_ACTIVE_TEXTURE                   0x84E0
#define GL_MAX_TEXTURE_UNITS                0x84E2
#define GL_COMBINE                          0x8570
#define GL_COMBINE_RGB                      0x8571
#define GL_COMBINE_ALPHA                    0x8572
#define GL_RGB_SCALE                        0x8573
#define GL_ADD_SIGNED                       0x8574
#define GL_INTERPOLATE                      0x8575
#define GL_CONSTANT                         0x8576
#define GL_PRIMARY_COLOR                    0x8577
#define GL_PREVIOUS                         0x8578
#define GL_SOURCE0_RGB                      0x8580
#define GL_SOURCE1_RGB                      0x8581
#define GL_SOURCE2_RGB                      0x8582
#define GL_SOURCE0_ALPHA                    0x8588
#define GL_SOURCE1_ALPHA                    0x8589
#define GL_SOURCE2_ALPHA                    0x858A
#define GL_OPERAND0_RGB                     0x8590
#define GL_OPERAND1_RGB                     0x8591
#define GL_OPERAND2_RGB                     0x8592
#define GL_OPERAND0_ALPHA                   0x8598
#define GL_OPERAND1_ALPHA                   0x8599
#define GL_OPERAND2_ALPHA                   0x859A
#define GL_SUBTRACT                         0x84E7
#define GL_DOT3_RGB                         0x86AE
#define GL_DOT3_RGBA                        0x86AF
#endif

#ifndef GL_VERSION_1_4
#define GL_COLOR_SUM                        0x8458
#define GL_FOG_COORDINATE_SOURCE            0x8450
#define GL_FOG_COORDINATE                   0x8451
#define GL_FRAGMENT_DEPTH                   0x8452
#endif

#ifndef GL_ARB_multitexture
#define GL_ARB_multitexture 1
#define GL_TEXTURE0_ARB                     0x84C0
#define GL_TEXTURE1_ARB                     0x84C1
#define GL_TEXTURE2_ARB                     0x84C2
#define GL_TEXTURE3_ARB                     0x84C3
#define GL_TEXTURE4_ARB                     0x84C4
#define GL_TEXTURE5_ARB                     0x84C5
#define GL_TEXTURE6_ARB                     0x84C6
#define GL_TEXTURE7_ARB                     0x84C7
#endif

#ifndef GL_NV_texture_env_combine4
#define GL_NV_texture_env_combine4 1
#define GL_COMBINE4_NV                      0x8503
#define GL_SOURCE3_RGB_NV                   0x8583
#define GL_SOURCE3_ALPHA_NV                 0x858B
#define GL_OPERAND3_RGB_NV                  0x8593
#define GL_OPERAND3_ALPHA_NV                0x859B
#endif

#ifndef GL_NV_register_combiners
#define GL_NV_register_combiners 1
#define GL_REGISTER_COMBINERS_NV            0x8522
#define GL_VARIABLE_A_NV                    0x8523
#define GL_VARIABLE_B_NV                    0x8524
#define GL_VARIABLE_C_NV                    0x8525
#define GL_VARIABLE_D_NV                    0x8526
#define GL_VARIABLE_E_NV                    0x8527
#define GL_VARIABLE_F_NV                    0x8528
#define GL_VARIABLE_G_NV                    0x8529
#define GL_CONSTANT_COLOR0_NV               0x852A
#define GL_CONSTANT_COLOR1_NV               0x852B
#define GL_PRIMARY_COLOR_NV                 0x852C
#define GL_SECONDARY_COLOR_NV               0x852D
#define GL_SPARE0_NV                        0x852E
#define GL_SPARE1_NV                        0x852F
#define GL_DISCARD_NV                       0x8530
#define GL_E_TIMES_F_NV                     0x8531
#define GL_SPARE0_PLUS_SECONDARY_COLOR_NV   0x8532
#define GL_UNSIGNED_IDENTITY_NV             0x8536
#define GL_UNSIGNED_INVERT_NV               0x8537
#define GL_EXPAND_NORMAL_NV                 0x8538
#define GL_EXPAND_NEGATE_NV                 0x8539
#define GL_HALF_BIAS_NORMAL_NV              0x853A
#define GL_HALF_BIAS_NEGATE_NV              0x853B
#define GL_SIGNED_IDENTITY_NV               0x853C
#define GL_SIGNED_NEGATE_NV                 0x853D
#define GL_SCALE_BY_TWO_NV                  0x853E
#define GL_SCALE_BY_FOUR_NV                 0x853F
#define GL_SCALE_BY_ONE_HALF_NV             0x8540
#define GL_BIAS_BY_NEGATIVE_ONE_HALF_NV     0x8541
#define GL_COMBINER_INPUT_NV                0x8542
#define GL_COMBINER_MAPPING_NV              0x8543
#define GL_COMBINER_COMPONENT_USAGE_NV      0x8544
#define GL_COMBINER_AB_DOT_PRODUCT_NV       0x8545
#define GL_COMBINER_CD_DOT_PRODUCT_NV       0x8546
#define GL_COMBINER_MUX_SUM_NV              0x8547
#define GL_COMBINER_SCALE_NV                0x8548
#define GL_COMBINER_BIAS_NV                 0x8549
#define GL_COMBINER_AB_OUTPUT_NV            0x854A
#define GL_COMBINER_CD_OUTPUT_NV            0x854B
#define GL_COMBINER_SUM_OUTPUT_NV           0x854C
#define GL_MAX_GENERAL_COMBINERS_NV         0x854D
#define GL_NUM_GENERAL_COMBINERS_NV         0x854E
#define GL_COLOR_SUM_CLAMP_NV               0x854F
#define GL_COMBINER0_NV                     0x8550
#define GL_COMBINER1_NV                     0x8551
#define GL_COMBINER2_NV                     0x8552
#define GL_COMBINER3_NV                     0x8553
#define GL_COMBINER4_NV                     0x8554
#define GL_COMBINER5_NV                     0x8555
#define GL_COMBINER6_NV                     0x8556
#define GL_COMBINER7_NV                     0x8557
#endif

#ifndef GL_NV_register_combiners2
#define GL_NV_register_combiners2 1
#define GL_PER_STAGE_CONSTANTS_NV           0x8535
#endif

#ifndef GL_ATI_fragment_shader
#define GL_ATI_fragment_shader 1
#define GL_FRAGMENT_SHADER_ATI              0x8920
#define GL_REG_0_ATI                        0x8921
#define GL_REG_1_ATI                        0x8922
#define GL_REG_2_ATI                        0x8923
#define GL_REG_3_ATI                        0x8924
#define GL_REG_4_ATI                        0x8925
#define GL_REG_5_ATI                        0x8926
#define GL_CON_0_ATI                        0x8941
#define GL_CON_1_ATI                        0x8942
#define GL_CON_2_ATI                        0x8943
#define GL_CON_3_ATI                        0x8944
#define GL_CON_4_ATI                        0x8945
#define GL_CON_5_ATI                        0x8946
#define GL_CON_6_ATI                        0x8947
#define GL_CON_7_ATI                        0x8948
#define GL_MOV_ATI                          0x8961
#define GL_ADD_ATI                          0x8963
#define GL_MUL_ATI                          0x8964
#define GL_SUB_ATI                          0x8965
#define GL_DOT3_ATI                         0x8966
#define GL_DOT4_ATI                         0x8967
#define GL_MAD_ATI                          0x8968
#define GL_LERP_ATI                         0x8969
#define GL_CND_ATI                          0x896A
#define GL_CND0_ATI                         0x896B
#define GL_DOT2_ADD_ATI                     0x896C
#define GL_SECONDARY_INTERPOLATOR_ATI       0x896D
#define GL_SWIZZLE_STR_ATI                  0x8976
#define GL_SWIZZLE_STQ_ATI                  0x8977
#define GL_SWIZZLE_STR_DR_ATI               0x8978
#define GL_SWIZZLE_STQ_DQ_ATI               0x8979
#define GL_RED_BIT_ATI                      0x00000001
#define GL_GREEN_BIT_ATI                    0x00000002
#define GL_BLUE_BIT_ATI                     0x00000004
#define GL_2X_BIT_ATI                       0x00000001
#define GL_4X_BIT_ATI                       0x00000002
#define GL_8X_BIT_ATI                       0x00000004
#define GL_HALF_BIT_ATI                     0x00000008
#define GL_QUARTER_BIT_ATI                  0x00000010
#define GL_EIGHTH_BIT_ATI                   0x00000020
#define GL_SATURATE_BIT_ATI                 0x00000040
#define GL_COMP_BIT_ATI                     0x00000002
#define GL_NEGATE_BIT_ATI                   0x00000004
#define GL_BIAS_BIT_ATI                     0x00000008
#endif

/* Spellings of 1999. */
#ifndef GL_NUM_COMBINERS_NV
#define GL_NUM_COMBINERS_NV                 GL_NUM_GENERAL_COMBINERS_NV
#endif
#ifndef GL_COMPONENT_USAGE_NV
#define GL_COMPONENT_USAGE_NV               GL_COMBINER_COMPONENT_USAGE_NV
#endif

#if defined(__GNUC__)
#define TSR_API __attribute__((visibility("default")))
#else
#define TSR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TsrCombiners TsrCombiners;

TSR_API TsrCombiners *tsrCreateCombiners(void);                      /* in initial state; NULL: no memory */
TSR_API void tsrDestroyCombiners(TsrCombiners *combiners);           /* must be current on no other thread */
TSR_API void tsrMakeCombinersCurrent(TsrCombiners *combiners);       /* NULL: none */

TSR_API void tsrCombinerParameterfvNV(GLenum pname, const GLfloat *params);
TSR_API void tsrCombinerParameterivNV(GLenum pname, const GLint *params);
TSR_API void tsrCombinerParameterfNV(GLenum pname, GLfloat param);
TSR_API void tsrCombinerParameteriNV(GLenum pname, GLint param);
TSR_API void tsrCombinerInputNV(GLenum stage, GLenum portion, GLenum variable, GLenum input, GLenum mapping, GLenum componentUsage);
TSR_API void tsrCombinerOutputNV(GLenum stage, GLenum portion, GLenum abOutput, GLenum cdOutput, GLenum sumOutput, GLenum scale, GLenum bias,
                                 GLboolean abDotProduct, GLboolean cdDotProduct, GLboolean muxSum);
TSR_API void tsrFinalCombinerInputNV(GLenum variable, GLenum input, GLenum mapping, GLenum componentUsage);
TSR_API void tsrCombinerStageParameterfvNV(GLenum stage, GLenum pname, const GLfloat *params);

TSR_API void tsrGetCombinerInputParameterfvNV(GLenum stage, GLenum portion, GLenum variable, GLenum pname, GLfloat *params);
TSR_API void tsrGetCombinerInputParameterivNV(GLenum stage, GLenum portion, GLenum variable, GLenum pname, GLint *params);
TSR_API void tsrGetCombinerOutputParameterfvNV(GLenum stage, GLenum portion, GLenum pname, GLfloat *params);
TSR_API void tsrGetCombinerOutputParameterivNV(GLenum stage, GLenum portion, GLenum pname, GLint *params);
TSR_API void tsrGetFinalCombinerInputParameterfvNV(GLenum variable, GLenum pname, GLfloat *params);
TSR_API void tsrGetFinalCombinerInputParameterivNV(GLenum variable, GLenum pname, GLint *params);
TSR_API void tsrGetCombinerStageParameterfvNV(GLenum stage, GLenum pname, GLfloat *params);

TSR_API void tsrEnable(GLenum cap);
TSR_API void tsrDisable(GLenum cap);
TSR_API GLboolean tsrIsEnabled(GLenum cap);
TSR_API void tsrGetFloatv(GLenum pname, GLfloat *params);
TSR_API void tsrGetIntegerv(GLenum pname, GLint *params);
TSR_API void tsrGetBooleanv(GLenum pname, GLboolean *params);
TSR_API GLenum tsrGetError(void);

TSR_API void tsrActiveTexture(GLenum texture);
TSR_API void tsrTexEnvf(GLenum target, GLenum pname, GLfloat param);
TSR_API void tsrTexEnvi(GLenum target, GLenum pname, GLint param);
TSR_API void tsrTexEnvfv(GLenum target, GLenum pname, const GLfloat *params);
TSR_API void tsrTexEnviv(GLenum target, GLenum pname, const GLint *params);
TSR_API void tsrGetTexEnvfv(GLenum target, GLenum pname, GLfloat *params);
TSR_API void tsrGetTexEnviv(GLenum target, GLenum pname, GLint *params);

TSR_API GLuint tsrGenFragmentShadersATI(GLuint range);
TSR_API void tsrBindFragmentShaderATI(GLuint id);
TSR_API void tsrDeleteFragmentShaderATI(GLuint id);
TSR_API void tsrBeginFragmentShaderATI(void);
TSR_API void tsrEndFragmentShaderATI(void);
TSR_API void tsrPassTexCoordATI(GLuint dst, GLuint coord, GLenum swizzle);
TSR_API void tsrSampleMapATI(GLuint dst, GLuint interp, GLenum swizzle);
TSR_API void tsrColorFragmentOp1ATI(GLenum op, GLuint dst, GLuint dstMask, GLuint dstMod, GLuint arg1, GLuint arg1Rep, GLuint arg1Mod);
TSR_API void tsrColorFragmentOp2ATI(GLenum op, GLuint dst, GLuint dstMask, GLuint dstMod, GLuint arg1, GLuint arg1Rep, GLuint arg1Mod,
                                    GLuint arg2, GLuint arg2Rep, GLuint arg2Mod);
TSR_API void tsrColorFragmentOp3ATI(GLenum op, GLuint dst, GLuint dstMask, GLuint dstMod, GLuint arg1, GLuint arg1Rep, GLuint arg1Mod,
                                    GLuint arg2, GLuint arg2Rep, GLuint arg2Mod, GLuint arg3, GLuint arg3Rep, GLuint arg3Mod);
TSR_API void tsrAlphaFragmentOp1ATI(GLenum op, GLuint dst, GLuint dstMod, GLuint arg1, GLuint arg1Rep, GLuint arg1Mod);
TSR_API void tsrAlphaFragmentOp2ATI(GLenum op, GLuint dst, GLuint dstMod, GLuint arg1, GLuint arg1Rep, GLuint arg1Mod, GLuint arg2,
                                    GLuint arg2Rep, GLuint arg2Mod);
TSR_API void tsrAlphaFragmentOp3ATI(GLenum op, GLuint dst, GLuint dstMod, GLuint arg1, GLuint arg1Rep, GLuint arg1Mod, GLuint arg2,
                                    GLuint arg2Rep, GLuint arg2Mod, GLuint arg3, GLuint arg3Rep, GLuint arg3Mod);
TSR_API void tsrSetFragmentShaderConstantATI(GLuint dst, const GLfloat *value);
TSR_API void tsrFogf(GLenum pname, GLfloat param);
TSR_API void tsrFogi(GLenum pname, GLint param);
TSR_API void tsrFogfv(GLenum pname, const GLfloat *params);
TSR_API void tsrFogiv(GLenum pname, const GLint *params);

#ifdef __cplusplus
}
#endif

#ifdef TSR_GL_NAMES
#define glCombinerParameterfvNV              tsrCombinerParameterfvNV
#define glCombinerParameterivNV              tsrCombinerParameterivNV
#define glCombinerParameterfNV               tsrCombinerParameterfNV
#define glCombinerParameteriNV               tsrCombinerParameteriNV
#define glCombinerInputNV                    tsrCombinerInputNV
#define glCombinerOutputNV                   tsrCombinerOutputNV
#define glFinalCombinerInputNV               tsrFinalCombinerInputNV
#define glCombinerStageParameterfvNV         tsrCombinerStageParameterfvNV
#define glGetCombinerInputParameterfvNV      tsrGetCombinerInputParameterfvNV
#define glGetCombinerInputParameterivNV      tsrGetCombinerInputParameterivNV
#define glGetCombinerOutputParameterfvNV     tsrGetCombinerOutputParameterfvNV
#define glGetCombinerOutputParameterivNV     tsrGetCombinerOutputParameterivNV
#define glGetFinalCombinerInputParameterfvNV tsrGetFinalCombinerInputParameterfvNV
#define glGetFinalCombinerInputParameterivNV tsrGetFinalCombinerInputParameterivNV
#define glGetCombinerStageParameterfvNV      tsrGetCombinerStageParameterfvNV
#define glEnable                             tsrEnable
#define glDisable                            tsrDisable
#define glIsEnabled                          tsrIsEnabled
#define glGetFloatv                          tsrGetFloatv
#define glGetIntegerv                        tsrGetIntegerv
#define glGetBooleanv                        tsrGetBooleanv
#define glGetError                           tsrGetError
#define glActiveTexture                      tsrActiveTexture
#define glActiveTextureARB                   tsrActiveTexture
#define glTexEnvf                            tsrTexEnvf
#define glTexEnvi                            tsrTexEnvi
#define glTexEnvfv                           tsrTexEnvfv
#define glTexEnviv                           tsrTexEnviv
#define glGetTexEnvfv                        tsrGetTexEnvfv
#define glGetTexEnviv                        tsrGetTexEnviv
#define glGenFragmentShadersATI              tsrGenFragmentShadersATI
#define glBindFragmentShaderATI              tsrBindFragmentShaderATI
#define glDeleteFragmentShaderATI            tsrDeleteFragmentShaderATI
#define glBeginFragmentShaderATI             tsrBeginFragmentShaderATI
#define glEndFragmentShaderATI               tsrEndFragmentShaderATI
#define glPassTexCoordATI                    tsrPassTexCoordATI
#define glSampleMapATI                       tsrSampleMapATI
#define glColorFragmentOp1ATI                tsrColorFragmentOp1ATI
#define glColorFragmentOp2ATI                tsrColorFragmentOp2ATI
#define glColorFragmentOp3ATI                tsrColorFragmentOp3ATI
#define glAlphaFragmentOp1ATI                tsrAlphaFragmentOp1ATI
#define glAlphaFragmentOp2ATI                tsrAlphaFragmentOp2ATI
#define glAlphaFragmentOp3ATI                tsrAlphaFragmentOp3ATI
#define glSetFragmentShaderConstantATI       tsrSetFragmentShaderConstantATI
#define glFogf                               tsrFogf
#define glFogi                               tsrFogi
#define glFogfv                              tsrFogfv
#define glFogiv                              tsrFogiv
#endif

#endif
