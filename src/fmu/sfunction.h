/* sfunction.h -- the text of an S-function. */
#ifndef FB_FMU_SFUNCTION_H
#define FB_FMU_SFUNCTION_H

/* Its parts, NULL-ended; @NAME@ and @TABLES@ are to be replaced. */
extern const char* const fb_sfunction_text[];

#endif
