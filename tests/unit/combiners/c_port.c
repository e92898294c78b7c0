#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif
#endif

#define TSR_GL_NAMES
#include "combiners/tsr_register_combiners.h"

#include "tests/unit/combiners/c_header.h"

int set_up_by_gl_names(void) {
  GLint value = 0;
  TsrCombiners *combiners = tsrCreateCombiners();
  if (!combiners) return 1;
  tsrMakeCombinersCurrent(combiners);
  glEnable(GL_REGISTER_COMBINERS_NV);
  glCombinerParameteriNV(GL_NUM_COMBINERS_NV, 3);
  glCombinerInputNV(GL_COMBINER2_NV, GL_ALPHA, GL_VARIABLE_B_NV, GL_TEXTURE1_ARB, GL_SIGNED_IDENTITY_NV, GL_BLUE);
  glActiveTextureARB(GL_TEXTURE1_ARB);
  glTexEnvf(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_DECAL);
  if (glGetError() != GL_NO_ERROR) return 2;
  glGetIntegerv(GL_NUM_COMBINERS_NV, &value);
  if (value != 3) return 3;
  glGetCombinerInputParameterivNV(GL_COMBINER2_NV, GL_ALPHA, GL_VARIABLE_B_NV, GL_COMPONENT_USAGE_NV, &value);
  if (value != GL_BLUE) return 4;
  glGetTexEnviv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, &value);
  if (value != GL_DECAL) return 5;
  tsrDestroyCombiners(combiners);
  return 0;
}
