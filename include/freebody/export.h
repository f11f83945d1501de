/* export.h -- macros for public declarations: visibility, C linkage, checked printf formats. */
#ifndef FREEBODY_EXPORT_H
#define FREEBODY_EXPORT_H

#if defined(__GNUC__)
#define FB_API __attribute__((visibility("default")))
#else
#define FB_API
#endif

/* Marks a function that takes a printf format: positions of the format and of its first argument, from 1. */
#if defined(__GNUC__)
#define FB_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define FB_PRINTF(text, first)
#endif

#ifdef __cplusplus
#define FB_BEGIN_DECLS extern "C" {
#define FB_END_DECLS }
#else
#define FB_BEGIN_DECLS
#define FB_END_DECLS
#endif

#endif
