/* export.h -- what a public declaration needs: visibility and C linkage. */
#ifndef FREEBODY_EXPORT_H
#define FREEBODY_EXPORT_H

#if defined(__GNUC__)
#define FB_API __attribute__((visibility("default")))
#else
#define FB_API
#endif

#ifdef __cplusplus
#define FB_BEGIN_DECLS extern "C" {
#define FB_END_DECLS }
#else
#define FB_BEGIN_DECLS
#define FB_END_DECLS
#endif

#endif
