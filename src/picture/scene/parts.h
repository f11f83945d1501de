/* parts.h -- what the files of the scene share. */
#ifndef FB_PICTURE_SCENE_PARTS_H
#define FB_PICTURE_SCENE_PARTS_H

#include "picture/scene/scene.h"

/* ---- picture/scene/inertia.c ---- */

/* Half the edges of the box, or the radii of the ellipsoid, of uniform density with this mass and these moments;
 * 0 where there is no mass or no extent. */
void fb_equal_box(double mass, const double moments[3], double half[3]);
void fb_equal_ellipsoid(double mass, const double moments[3], double radii[3]);

/* ---- scene.c ---- */

/* One more shape of the body last begun; NULL without memory. It stands at the body's origin, unturned. */
fb_scene_shape* fb_scene_add(fb_scene* scene, size_t* room, fb_shape_kind kind, const double color[4]);

/* "#rrggbb" or "#rrggbbaa"; color stays as it is when the text is neither. */
void fb_scene_read_color(const char* text, double color[4]);

/* ---- picture/scene/surface.c ---- */

/* The surfaces in the view of a run (NULL: none). Those that cannot be drawn are noted and left out. */
fb_status fb_scene_read_surfaces(fb_scene* scene, const char* view, const fb_io_options* notes,
                                 fb_error* error);
/* The triangles of a surface that has rows. */
fb_status fb_scene_mesh_heights(const fb_scene_surface* surface, fb_mesh* mesh, fb_error* error);

/* ---- picture/scene/guess.c ---- */

/* What a body without a colour of its own has. */
void fb_scene_body_color(const fb_model* m, int body, double color[4]);

/* What guesses are made from, the same for all bodies of a scene. */
typedef struct fb_guess fb_guess;

fb_guess* fb_guess_new(const fb_model* m); /* NULL without memory */
void fb_guess_free(fb_guess* guess);
/* Shapes for a body that has none. */
fb_status fb_guess_body(const fb_guess* guess, fb_scene* scene, size_t* room, int body);

#endif
