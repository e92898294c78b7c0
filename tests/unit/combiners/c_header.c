#include "combiners/tsr_register_combiners.h"

#include "tests/unit/combiners/c_header.h"

int set_up_in_c(void) {
  const GLfloat color[4] = {0.25f, 0.5f, 0.75f, 1.0f};
  GLfloat floats[4] = {0, 0, 0, 0};
  GLint value = 0;
  GLboolean clamp = GL_TRUE;
  TsrCombiners *combiners = tsrCreateCombiners();
  if (!combiners) return 1;
  tsrMakeCombinersCurrent(combiners);

  tsrEnable(GL_REGISTER_COMBINERS_NV);
  if (!tsrIsEnabled(GL_REGISTER_COMBINERS_NV)) return 2;
  tsrCombinerParameteriNV(GL_NUM_GENERAL_COMBINERS_NV, 2);
  tsrCombinerParameterfvNV(GL_CONSTANT_COLOR1_NV, color);
  tsrCombinerInputNV(GL_COMBINER1_NV, GL_RGB, GL_VARIABLE_A_NV, GL_TEXTURE0, GL_EXPAND_NORMAL_NV, GL_RGB);
  tsrCombinerOutputNV(GL_COMBINER1_NV, GL_RGB, GL_SPARE0_NV, GL_DISCARD_NV, GL_DISCARD_NV, GL_NONE, GL_NONE, GL_TRUE, GL_FALSE, GL_FALSE);
  tsrFinalCombinerInputNV(GL_VARIABLE_D_NV, GL_E_TIMES_F_NV, GL_UNSIGNED_IDENTITY_NV, GL_RGB);
  tsrTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
  if (tsrGetError() != GL_NO_ERROR) return 3;

  tsrGetCombinerInputParameterivNV(GL_COMBINER1_NV, GL_RGB, GL_VARIABLE_A_NV, GL_COMBINER_MAPPING_NV, &value);
  if (value != GL_EXPAND_NORMAL_NV) return 4;
  tsrGetFloatv(GL_CONSTANT_COLOR1_NV, floats);
  if (floats[2] != 0.75f) return 5;
  tsrCombinerParameteriNV(GL_COLOR_SUM_CLAMP_NV, 0);
  tsrGetBooleanv(GL_COLOR_SUM_CLAMP_NV, &clamp);
  if (clamp != GL_FALSE) return 6;
  tsrDestroyCombiners(combiners);
  return 0;
}
