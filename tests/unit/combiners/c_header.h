/* tests/unit/combiners/c_header.h: a setup made by C code. Each returns the number of the first check that fails, or 0. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

int set_up_in_c(void);                  /* with the header's own tokens and tsr names */
int set_up_by_gl_names(void);           /* as a port: gl names, spellings of 1999, a real gl.h where there is one */

#ifdef __cplusplus
}
#endif
