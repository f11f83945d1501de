/* merge.c -- MJCF has hinge, slide, ball and free joints. The writer makes others of these, and names the parts so
 * that the reader knows them: joint `knee` of type universal is `knee.1` and `knee.2`. */
#include "format/mjcf/reader.h"

#include <stdlib.h>
#include <string.h>

const fb_mjcf_parts fb_mjcf_parts_table[] = {
    {FB_JOINT_HELICAL, {".screw", ".advance", NULL}, "hs"},
    {FB_JOINT_CYLINDRICAL, {".turn", ".slide", NULL}, "hs"},
    {FB_JOINT_UNIVERSAL, {".1", ".2", NULL}, "hh"},
    {FB_JOINT_PLANAR, {".x", ".y", ".turn", NULL}, "ssh"},
    {FB_JOINT_FREE, {".x", ".y", ".z", ".ball", NULL}, "sssb"},
    {FB_JOINT_TYPE_COUNT, {NULL}, ""},
};

enum { MOST = 4 };

typedef struct gathered {
  int node[MOST], count;
} gathered;

static gathered gather(const fb_mjcf_reader* r, int body) {
  gathered g = {{0}, 0};
  for (int e = r->bodies[body].first; e != FB_MJCF_NONE; e = r->next_item[e])
    if ((fb_mjcf_is(&r->tree, e, "joint") || fb_mjcf_is(&r->tree, e, "freejoint")) && g.count++ < MOST)
      g.node[g.count - 1] = e;
  return g;
}

/* Whether the names end as those of the parts do, and are the same before that; *length of it. */
static int names_fit(const fb_mjcf_reader* r, const gathered* g, const fb_mjcf_parts* parts, size_t* length) {
  const char* first = NULL;
  for (int i = 0; i < g->count; i++) {
    const char* name = fb_mjcf_written(&r->tree, g->node[i], "name");
    if (!parts->ends[i] || !name) return 0;
    size_t n = strlen(name), end = strlen(parts->ends[i]);
    if (n <= end || strcmp(name + n - end, parts->ends[i]) != 0) return 0;
    if (first && (n - end != *length || strncmp(name, first, *length) != 0)) return 0;
    first = name;
    *length = n - end;
  }
  return parts->ends[g->count] == NULL;
}

static char kind_of(const fb_joint_def* part) {
  return part->type == FB_JOINT_REVOLUTE    ? 'h'
         : part->type == FB_JOINT_PRISMATIC ? 's'
         : part->type == FB_JOINT_SPHERICAL ? 'b'
                                            : '?';
}

/* The pitch of a helical joint: the tendon that holds its parts together is slide - pitch turn. */
static int find_pitch(const fb_mjcf_reader* r, const char* screw, double* pitch) {
  for (int i = 1; i < (int)r->tree.count; i++) {
    const char* joint = fb_mjcf_written(&r->tree, i, "joint");
    int parent = r->tree.nodes[i].parent;
    if (!joint || strcmp(joint, screw) != 0 || !fb_mjcf_is(&r->tree, parent, "fixed")) continue;
    if (fb_mjcf_numbers(r, i, NULL, "coef", 1, pitch, NULL)) return 0;
    *pitch = -*pitch;
    return 1;
  }
  return 0;
}

/* The coordinates of a part behind those before it. */
static void take_part(const fb_joint_def* part, int at, fb_joint_def* joint) {
  for (int i = 0; i < fb_joint_type_nv(part->type) && at + i < 6; i++) {
    joint->lower[at + i] = part->lower[i];
    joint->upper[at + i] = part->upper[i];
    joint->stiffness[at + i] = part->stiffness[i];
    joint->rest[at + i] = part->rest[i];
    joint->damping[at + i] = part->damping[i];
    joint->friction[at + i] = part->friction[i];
    joint->armature[at + i] = part->armature[i];
  }
}

/* Dampers that differ between the axes of a ball are actuators in the file: force = biasprm[2] rate, along gear. */
void fb_mjcf_find_dampers(fb_mjcf_reader* r, const char* ball, double damping[3]) {
  for (int i = 1; i < (int)r->tree.count; i++) {
    const char* joint = fb_mjcf_written(&r->tree, i, "jointinparent");
    double gear[3] = {0, 0, 0}, bias[3] = {0, 0, 0};
    if (!joint || strcmp(joint, ball) != 0 || !fb_mjcf_is(&r->tree, i, "general")) continue;
    if (fb_mjcf_numbers(r, i, NULL, "gear", 3, gear, NULL) ||
        fb_mjcf_numbers(r, i, NULL, "biasprm", 3, bias, NULL))
      continue;
    for (int k = 0; k < 3; k++)
      if (gear[k] == 1 && bias[2] < 0) damping[k] = -bias[2];
  }
}

/* Axes of the parts that follow from the type are not compared: the file says that it is the writer's. */
static fb_status merge(fb_mjcf_reader* r, int body, const gathered* g, const fb_mjcf_parts* parts,
                       fb_joint_def* joint, int* fits) {
  int nv = 0;
  *joint = fb_default_joint_def();
  for (int i = 0; i < g->count; i++) {
    fb_joint_def part;
    double pos[3], ref;
    fb_status status = fb_mjcf_read_joint(r, g->node[i], &part, pos, &ref);
    if (status) return status;
    *fits &= kind_of(&part) == parts->kinds[i];
    if (part.type == FB_JOINT_SPHERICAL)
      fb_mjcf_find_dampers(r, fb_mjcf_written(&r->tree, g->node[i], "name"), part.damping);
    if (i == 0) memcpy(joint->axis, part.axis, sizeof part.axis);
    if (i == 1 && parts->type == FB_JOINT_UNIVERSAL) memcpy(joint->axis2, part.axis, sizeof part.axis);
    if (i == 0) joint->place = part.place;
    if (parts->type != FB_JOINT_HELICAL || i == 0) take_part(&part, nv, joint);
    nv += fb_joint_type_nv(part.type);
  }
  joint->type = parts->type;
  memcpy(joint->at, r->bodies[body].pose.p, sizeof joint->at);
  memcpy(joint->R, r->bodies[body].pose.R, sizeof joint->R);
  if (parts->type == FB_JOINT_HELICAL)
    *fits &= find_pitch(r, fb_mjcf_written(&r->tree, g->node[0], "name"), &joint->pitch);
  return FB_OK;
}

int fb_mjcf_merge_joints(fb_mjcf_reader* r, int body, fb_joint_def* joint, fb_status* status) {
  gathered g = gather(r, body);
  size_t length = 0;
  const fb_mjcf_parts* parts = fb_mjcf_parts_table;
  *status = FB_OK;
  if (g.count < 2 || g.count > MOST) return 0;
  while (parts->type != FB_JOINT_TYPE_COUNT && !names_fit(r, &g, parts, &length)) parts++;
  if (parts->type == FB_JOINT_TYPE_COUNT) return 0;
  int fits = 1;
  *status = merge(r, body, &g, parts, joint, &fits);
  if (*status) return 1;
  if (!fits) {
    *joint = fb_default_joint_def();
    return 0;
  }
  char* name = malloc(length + 1);
  if (name) {
    memcpy(name, fb_mjcf_written(&r->tree, g.node[0], "name"), length);
    name[length] = '\0';
    joint->name = fb_name_set_make(&r->joints, name);
  }
  if (!name || !joint->name) *status = fb_mjcf_no_memory(r);
  free(name);
  return 1;
}
