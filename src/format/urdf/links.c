/* links.c -- sorts the elements of <robot> and finds the tree that its joints make of its links. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/support/words.h>

#include "format/urdf/reader.h"
#include "format/unread.h"
#include "model/definition/name_index.h"

static int is(const fb_urdf_reader* r, int element, const char* name) {
  return strcmp(fb_xml_name(r->xml, element), name) == 0;
}

static const char* name_of(const fb_urdf_reader* r, int element) {
  return fb_xml_attribute(r->xml, element, "name");
}

/* --- sorting the elements --- */

/* Definitions that are left in a finished URDF say nothing; whatever else is of xacro would make links and joints. */
static const char LEFT_OVER[] = " xacro:property xacro:arg xacro:macro ";

fb_status fb_urdf_refuse_xacro(const fb_urdf_reader* r) {
  int has_links = fb_xml_child(r->xml, 0, "link") != FB_XML_NONE;
  for (int e = fb_xml_first(r->xml, 0); e != FB_XML_NONE; e = fb_xml_next(r->xml, e)) {
    const char* name = fb_xml_name(r->xml, e);
    if (strncmp(name, "xacro:", 6) == 0 && !(has_links && fb_is_listed(name, LEFT_OVER)))
      return fb_xml_fail(r->xml, e, r->error, FB_ERR_UNSUPPORTED,
                         "<%s> belongs to xacro, which makes URDF but is not URDF. Run xacro first (xacro "
                         "robot.xacro > robot.urdf) and give its result.",
                         name);
  }
  return FB_OK;
}

static fb_status read_robot_extension(fb_urdf_reader* r, int element) {
  static const char* const known[] = {"gravity", "order", NULL};
  fb_status status = fb_xml_check_attributes(r->xml, element, known, r->error);
  double gravity_w[3] = {0, 0, 0};
  if (!status) status = fb_xml_numbers(r->xml, element, "gravity", 3, gravity_w, r->error);
  if (status) return status;
  if (fb_xml_attribute(r->xml, element, "gravity")) fb_model_def_set_gravity(r->def, gravity_w);
  const char* order = fb_xml_attribute(r->xml, element, "order");
  if (!order) return FB_OK;
  r->order_of_links = strcmp(order, "links") == 0;
  if (r->order_of_links || strcmp(order, "depth") == 0) return FB_OK;
  return fb_xml_fail(r->xml, element, r->error, FB_ERR_CONTENT,
                     "order=\"%s\" is not known; it is \"depth\" (depth first, the default) or \"links\" (as "
                     "the <link> elements stand)",
                     order);
}

static void count_elements(fb_urdf_reader* r) {
  for (int e = fb_xml_first(r->xml, 0); e != FB_XML_NONE; e = fb_xml_next(r->xml, e)) {
    r->nlink += is(r, e, "link");
    r->njoint += is(r, e, "joint");
  }
  for (int e = 1; e < fb_xml_count(r->xml); e++) r->nmaterial += is(r, e, "material");
}

static int make_arrays(fb_urdf_reader* r) {
  size_t nl = (size_t)r->nlink + 1, nj = (size_t)r->njoint + 1, nm = (size_t)r->nmaterial + 1;
  r->link = fb_pool_take(&r->pool, 5 * nl + 3 * nj, sizeof *r->link);
  r->links = fb_pool_take(&r->pool, nl + nj + nm, sizeof *r->links);
  r->turn = fb_pool_take(&r->pool, 9 * nl, sizeof *r->turn);
  r->joint_names = fb_pool_take(&r->pool, nj, sizeof *r->joint_names);
  if (r->pool.failed) return 0;
  for (int i = 0; i < r->nlink; i++) fb_rot_identity(r->turn + 9 * (size_t)i);
  r->parent_joint = r->link + nl;
  r->parent_link = r->link + 2 * nl;
  r->first_joint = r->link + 3 * nl;
  r->body = r->link + 4 * nl;
  r->joint = r->link + 5 * nl;
  r->child_link = r->joint + nj;
  r->next_joint = r->joint + 2 * nj;
  r->joints = r->links + nl;
  r->materials = r->joints + nj;
  return 1;
}

static fb_status add_link(fb_urdf_reader* r, int e) {
  const char* name;
  fb_status status = fb_xml_need_attribute(r->xml, e, "name", &name, r->error);
  if (status) return status;
  if (!name[0]) return fb_xml_fail(r->xml, e, r->error, FB_ERR_NAME, "<link> has an empty name; give it one");
  r->links[r->nlink] = (fb_name){name, r->nlink};
  r->link[r->nlink++] = e;
  return FB_OK;
}

/* Files one element of <robot> under its kind; others are reported by fb_urdf_report_unread. */
static fb_status sort_element(fb_urdf_reader* r, int e) {
  const char* name = name_of(r, e);
  if (is(r, e, "freebody")) return read_robot_extension(r, e);
  if (is(r, e, "link")) return add_link(r, e);
  if (is(r, e, "joint")) {
    /* Those without a name get one when their links are known. */
    if (name && name[0]) r->joints[r->nnamed++] = (fb_name){name, r->njoint};
    r->joint[r->njoint++] = e;
  }
  if (is(r, e, "material") && name) r->materials[r->nmaterial++] = (fb_name){name, e};
  return FB_OK;
}

/* A material with a colour in one <visual> may be named by others, as urdfdom has it. */
static void gather_visual_materials(fb_urdf_reader* r) {
  r->visual_materials = r->materials + r->nmaterial;
  for (int e = 1; e < fb_xml_count(r->xml); e++) {
    const char* name = name_of(r, e);
    if (is(r, e, "material") && name && name[0] && is(r, fb_xml_parent(r->xml, e), "visual") &&
        fb_xml_child(r->xml, e, "color") != FB_XML_NONE)
      r->visual_materials[r->nvisual_material++] = (fb_name){name, e};
  }
  fb_names_sort(r->visual_materials, r->nvisual_material);
}

/* A joint may be attached to `world` without a link of that name: then its <parent> stands for the link. */
static void add_implicit_world(fb_urdf_reader* r) {
  for (int j = 0; j < r->njoint; j++) {
    int parent = fb_xml_child(r->xml, r->joint[j], "parent");
    const char* name = parent == FB_XML_NONE ? NULL : fb_xml_attribute(r->xml, parent, "link");
    if (!name || strcmp(name, "world") != 0) continue;
    fb_urdf_add_slip(r, FB_SLIP_NO_WORLD, r->joint[j], "'%.60s'",
                     name_of(r, r->joint[j]) ? name_of(r, r->joint[j]) : "");
    if (r->implicit_world >= 0) continue;
    r->implicit_world = r->nlink;
    r->links[r->nlink] = (fb_name){name, r->nlink};
    r->link[r->nlink++] = parent;
  }
}

static fb_status refuse_repeated_links(const fb_urdf_reader* r) {
  int i = fb_names_repeated(r->links, r->nlink);
  if (!i) return FB_OK;
  return fb_xml_fail(r->xml, r->link[r->links[i].id], r->error, FB_ERR_NAME,
                     "two links are named '%s'; the first is at line %d. Rename one of them.",
                     r->links[i].text, fb_xml_place(r->xml, r->link[r->links[i - 1].id]).line);
}

fb_status fb_urdf_gather(fb_urdf_reader* r) {
  count_elements(r);
  if (!make_arrays(r)) return fb_urdf_no_memory(r);
  r->nlink = r->njoint = r->nmaterial = 0;
  for (int e = fb_xml_first(r->xml, 0); e != FB_XML_NONE; e = fb_xml_next(r->xml, e)) {
    fb_status status = sort_element(r, e);
    if (status) return status;
  }
  if (r->nlink == 0)
    return fb_xml_fail(r->xml, 0, r->error, FB_ERR_CONTENT,
                       "<robot> has no <link>; a robot needs at least one");
  fb_names_sort(r->links, r->nlink);
  if (fb_names_find(r->links, r->nlink, "world") < 0) add_implicit_world(r);
  fb_names_sort(r->links, r->nlink);
  fb_names_sort(r->joints, r->nnamed);
  fb_names_sort(r->materials, r->nmaterial);
  gather_visual_materials(r);
  for (int i = 0, is_new; i < r->nnamed; i++) { /* the first of several joints of one name has it */
    const char* name = fb_name_set_add(&r->given, r->joints[i].text, &is_new);
    if (!name) return fb_urdf_no_memory(r);
    if (is_new) r->joint_names[r->joints[i].id] = name;
  }
  return refuse_repeated_links(r);
}

/* --- names --- */

const char* fb_urdf_link_name(const fb_urdf_reader* r, int link) {
  if (link == r->renamed) return r->world_link;
  return link == r->implicit_world ? "world" : name_of(r, r->link[link]);
}

/* A link `world` that is no root, or has nothing attached to it, is a link as others are. */
static void rename_world(fb_urdf_reader* r) {
  int world = fb_names_find(r->links, r->nlink, "world");
  if (world < 0 || (r->parent_joint[world] < 0 && r->first_joint[world] >= 0)) return;
  r->renamed = world;
  snprintf(r->world_link, sizeof r->world_link, "world_link");
  for (int i = 2; fb_names_find(r->links, r->nlink, r->world_link) >= 0; i++)
    snprintf(r->world_link, sizeof r->world_link, "world_link_%d", i);
  fb_urdf_add_slip(r, FB_SLIP_WORLD_RENAMED, r->link[world], "'%s'", r->world_link);
}

static fb_status name_other_joints(fb_urdf_reader* r) {
  for (int j = 0; j < r->njoint; j++) {
    if (r->joint_names[j]) continue;
    r->joint_names[j] = fb_name_set_make(&r->given, fb_urdf_link_name(r, r->child_link[j]));
    if (!r->joint_names[j]) return fb_urdf_no_memory(r);
    fb_urdf_add_slip(r, FB_SLIP_JOINT_NAMED, r->joint[j], "'%.60s'", r->joint_names[j]);
  }
  return FB_OK;
}

/* --- the tree --- */

static fb_status unknown_link(const fb_urdf_reader* r, int element, const char* wanted) {
  char near[FB_SUGGESTION_SIZE];
  return fb_xml_fail(r->xml, element, r->error, FB_ERR_NAME, "there is no link '%s'%s", wanted,
                     fb_names_suggestion(r->links, r->nlink, wanted, NULL, near));
}

/* The link that <parent link=""> or <child link=""> of a joint names. */
static fb_status find_link(const fb_urdf_reader* r, int joint, const char* end, int* link, int* element) {
  const char* name;
  fb_status status = fb_xml_need_child(r->xml, r->joint[joint], end, element, r->error);
  if (!status) status = fb_xml_need_attribute(r->xml, *element, "link", &name, r->error);
  if (status) return status;
  *link = fb_names_find(r->links, r->nlink, name);
  int is_implicit_child = *link >= 0 && *link == r->implicit_world && strcmp(end, "child") == 0;
  return *link < 0 || is_implicit_child ? unknown_link(r, *element, name) : FB_OK;
}

static fb_status connect_joint(fb_urdf_reader* r, int joint) {
  int parent, child, parent_element, child_element;
  fb_status status = find_link(r, joint, "parent", &parent, &parent_element);
  if (!status) status = find_link(r, joint, "child", &child, &child_element);
  if (status) return status;
  const char* name = name_of(r, r->joint[joint]);
  if (parent == child)
    return fb_xml_fail(r->xml, r->joint[joint], r->error, FB_ERR_TREE,
                       "joint '%s' has the link '%s' as parent and as child", name ? name : "",
                       name_of(r, r->link[child]));
  r->child_link[joint] = child;
  if (r->parent_joint[child] >= 0) return FB_OK; /* it closes a loop */
  r->parent_joint[child] = joint;
  r->parent_link[child] = parent;
  return FB_OK;
}

/* At least one link has no parent joint; several are trees of their own, but for the world. */
static fb_status find_roots(fb_urdf_reader* r) {
  int count = 0, world = fb_names_find(r->links, r->nlink, "world");
  for (int i = 0; i < r->nlink; i++) count += r->parent_joint[i] < 0;
  if (count == 0)
    return fb_xml_fail(r->xml, r->link[0], r->error, FB_ERR_TREE,
                       "every link is the child of a joint, so the joints go round in a ring (from link '%s' "
                       "on). One link must be the root.",
                       name_of(r, r->link[0]));
  for (int i = 0; i < r->nlink && count > 1; i++)
    if (r->parent_joint[i] < 0 && i != world)
      fb_urdf_add_slip(r, FB_SLIP_TREES, r->link[i], "'%.60s'", fb_urdf_link_name(r, i));
  return FB_OK;
}

/* Links that lead to no root are on a ring, or hang on one. */
static fb_status refuse_rings(const fb_urdf_reader* r) {
  for (int i = 0; i < r->nlink; i++) {
    int at = i, steps = 0;
    while (r->parent_link[at] >= 0 && !r->body[at] && steps++ <= r->nlink) at = r->parent_link[at];
    if (steps > r->nlink)
      return fb_xml_fail(r->xml, r->link[i], r->error, FB_ERR_TREE,
                         "link '%s' leads to no root: the joints above it go round in a ring",
                         name_of(r, r->link[i]));
    for (at = i; r->parent_link[at] >= 0 && !r->body[at]; at = r->parent_link[at]) r->body[at] = 1;
  }
  memset(r->body, 0, (size_t)r->nlink * sizeof *r->body);
  return FB_OK;
}

fb_status fb_urdf_connect(fb_urdf_reader* r) {
  for (int i = 0; i < r->nlink; i++) r->parent_joint[i] = r->parent_link[i] = r->first_joint[i] = -1;
  for (int j = 0; j < r->njoint; j++) {
    fb_status status = connect_joint(r, j);
    if (status) return status;
  }
  /* Backwards, so that each link's joints come out in document order. */
  for (int j = r->njoint - 1; j >= 0; j--) {
    if (fb_urdf_is_second(r, j)) continue;
    int parent = r->parent_link[r->child_link[j]];
    r->next_joint[j] = r->first_joint[parent];
    r->first_joint[parent] = j;
  }
  rename_world(r);
  fb_status status = find_roots(r);
  if (!status) status = refuse_rings(r);
  return status ? status : name_other_joints(r);
}
