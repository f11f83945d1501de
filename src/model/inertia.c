/* inertia.c -- from bodies' masses to those of subtrees and links
 *
 *   m_sub = m_b + sum of m_sub of the children
 *   (m, h, I) of a link = sum over the bodies merged into it, each moved to the link's origin and axes
 *
 * Always added up in the same order, body_order, so that the sums do not depend on the caller. */
#include "model/inertia.h"

#include <string.h>

#include <freebody/spatial.h>

#include "model/pose.h"

void fb_inertia_subtrees(const fb_topology* top, fb_parameters* par) {
  memcpy(par->subtree_mass, par->body_mass, (size_t)top->nbody * sizeof *par->body_mass);
  for (int i = top->nbody - 1; i >= 1; i--) {
    int b = top->body_order[i];
    par->subtree_mass[top->body_parent[b]] += par->subtree_mass[b];
  }
}

/* Adds a body to the link that carries it, and sets the site of its centroid. */
static void add_body(const fb_topology* top, fb_parameters* par, int b) {
  const double* com = par->body_com + 3 * b;
  int link = top->body_link[b];
  fb_pose body_pose = fb_pose_load(par->site_pose, b), centroid = fb_pose_placed(&body_pose, NULL, com);
  fb_spatial_inertia in_body, in_link;
  fb_spatial_inertia_from_com(par->body_mass[b], com, par->body_inertia + 6 * b, &in_body);
  fb_spatial_inertia_to_parent(&body_pose, &in_body, &in_link);
  *fb_link_parameter(par, link, FB_PAR_MASS) += in_link.mass;
  for (int i = 0; i < 3; i++) *fb_link_parameter(par, link, FB_PAR_H + i) += in_link.h[i];
  for (int i = 0; i < 6; i++) *fb_link_parameter(par, link, FB_PAR_I + i) += in_link.moments[i];
  fb_pose_store(par->site_pose, fb_com_site(top, b), &centroid);
}

static void clear(fb_parameters* par, int link) {
  *fb_link_parameter(par, link, FB_PAR_MASS) = 0;
  for (int i = 0; i < 3; i++) *fb_link_parameter(par, link, FB_PAR_H + i) = 0;
  for (int i = 0; i < 6; i++) *fb_link_parameter(par, link, FB_PAR_I + i) = 0;
}

void fb_inertia_links(const fb_topology* top, fb_parameters* par) {
  for (int link = 0; link < top->nlink; link++) clear(par, link);
  for (int i = 1; i < top->nbody; i++) add_body(top, par, top->body_order[i]);
}

void fb_inertia_link(const fb_topology* top, fb_parameters* par, int link) {
  clear(par, link);
  for (int i = 1; i < top->nbody; i++)
    if (top->body_link[top->body_order[i]] == link) add_body(top, par, top->body_order[i]);
}
