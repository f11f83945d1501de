/* links.c -- sorts the elements of <robot> and finds the tree that its joints make of its links. */
#include <stdlib.h>
#include <string.h>

#include <freebody/words.h>

#include "format/urdf/reader.h"
#include "model/name_index.h"

static int is(const fb_urdf_reader* r, int element, const char* name) {
  return strcmp(fb_xml_name(r->xml, element), name) == 0;
}

static const char* name_of(const fb_urdf_reader* r, int element) {
  return fb_xml_attribute(r->xml, element, "name");
}

static fb_status out_of_memory(const fb_urdf_reader* r) {
  return fb_fail(r->error, FB_ERR_MEMORY, "out of memory while the URDF was read");
}

/* --- sorting the elements --- */

fb_status fb_urdf_refuse_xacro(const fb_urdf_reader* r) {
  for (int e = fb_xml_first(r->xml, 0); e != FB_XML_NONE; e = fb_xml_next(r->xml, e))
    if (strncmp(fb_xml_name(r->xml, e), "xacro:", 6) == 0)
      return fb_xml_fail(r->xml, e, r->error, FB_ERR_UNSUPPORTED,
                         "<%s> belongs to xacro, which makes URDF but is not URDF. Run xacro first (xacro "
                         "robot.xacro > robot.urdf) and give its result.",
                         fb_xml_name(r->xml, e));
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
    r->nmaterial += is(r, e, "material");
  }
}

static int make_arrays(fb_urdf_reader* r) {
  size_t nl = (size_t)r->nlink + 1, nj = (size_t)r->njoint + 1, nm = (size_t)r->nmaterial + 1;
  r->link = calloc(5 * nl + 3 * nj, sizeof *r->link);
  r->links = calloc(nl + nj + nm, sizeof *r->links);
  r->turn = calloc(9 * nl, sizeof *r->turn);
  if (!r->link || !r->links || !r->turn) return 0;
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

/* Files one element of <robot> under its kind. */
static fb_status sort_element(fb_urdf_reader* r, int e) {
  int is_link = is(r, e, "link"), is_joint = is(r, e, "joint"), is_material = is(r, e, "material");
  if (is(r, e, "freebody")) return read_robot_extension(r, e);
  if (!is_link && !is_joint && !is_material) return FB_OK; /* reported by fb_urdf_tell_unread */
  const char* name;
  fb_status status = fb_xml_need_attribute(r->xml, e, "name", &name, r->error);
  if (status) return status;
  if (!name[0] && !is_material)
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_NAME, "<%s> has an empty name; give it one",
                       fb_xml_name(r->xml, e));
  if (is_link) {
    r->links[r->nlink] = (fb_name){name, r->nlink};
    r->link[r->nlink++] = e;
  } else if (is_joint) {
    r->joints[r->njoint] = (fb_name){name, r->njoint};
    r->joint[r->njoint++] = e;
  } else {
    r->materials[r->nmaterial++] = (fb_name){name, e};
  }
  return FB_OK;
}

static fb_status refuse_twins(const fb_urdf_reader* r, const fb_name* names, int count, const int* elements,
                              const char* kind) {
  int i = fb_names_repeated(names, count);
  if (!i) return FB_OK;
  return fb_xml_fail(r->xml, elements[names[i].id], r->error, FB_ERR_NAME,
                     "two %ss are named '%s'; the first is at line %d. Rename one of them.", kind,
                     names[i].text, fb_xml_place(r->xml, elements[names[i - 1].id]).line);
}

fb_status fb_urdf_gather(fb_urdf_reader* r) {
  count_elements(r);
  if (!make_arrays(r)) return out_of_memory(r);
  r->nlink = r->njoint = r->nmaterial = 0;
  for (int e = fb_xml_first(r->xml, 0); e != FB_XML_NONE; e = fb_xml_next(r->xml, e)) {
    fb_status status = sort_element(r, e);
    if (status) return status;
  }
  if (r->nlink == 0)
    return fb_xml_fail(r->xml, 0, r->error, FB_ERR_CONTENT,
                       "<robot> has no <link>; a robot needs at least one");
  fb_names_sort(r->links, r->nlink);
  fb_names_sort(r->joints, r->njoint);
  fb_names_sort(r->materials, r->nmaterial);
  fb_status status = refuse_twins(r, r->links, r->nlink, r->link, "link");
  return status ? status : refuse_twins(r, r->joints, r->njoint, r->joint, "joint");
}

/* --- the tree --- */

static fb_status unknown_link(const fb_urdf_reader* r, int element, const char* wanted) {
  const char** names = malloc(((size_t)r->nlink + 1) * sizeof *names);
  if (!names) return out_of_memory(r);
  for (int i = 0; i < r->nlink; i++) names[i] = r->links[i].text;
  names[r->nlink] = NULL;
  char near[FB_SUGGESTION_SIZE];
  fb_suggestion(wanted, names, near);
  free((void*)names);
  return fb_xml_fail(r->xml, element, r->error, FB_ERR_NAME, "there is no link '%s'%s", wanted, near);
}

/* The link that <parent link=""> or <child link=""> of a joint names. */
static fb_status find_link(const fb_urdf_reader* r, int joint, const char* end, int* link, int* element) {
  const char* name;
  fb_status status = fb_xml_need_child(r->xml, r->joint[joint], end, element, r->error);
  if (!status) status = fb_xml_need_attribute(r->xml, *element, "link", &name, r->error);
  if (status) return status;
  *link = fb_names_find(r->links, r->nlink, name);
  return *link < 0 ? unknown_link(r, *element, name) : FB_OK;
}

static fb_status connect_joint(fb_urdf_reader* r, int joint) {
  int parent, child, parent_element, child_element;
  fb_status status = find_link(r, joint, "parent", &parent, &parent_element);
  if (!status) status = find_link(r, joint, "child", &child, &child_element);
  if (status) return status;
  if (parent == child)
    return fb_xml_fail(r->xml, r->joint[joint], r->error, FB_ERR_TREE,
                       "joint '%s' has the link '%s' as parent and as child", name_of(r, r->joint[joint]),
                       name_of(r, r->link[child]));
  int other = r->parent_joint[child];
  if (other >= 0)
    return fb_xml_fail(
        r->xml, child_element, r->error, FB_ERR_TREE,
        "link '%s' has two parents: it is the child of joint '%s' and of joint '%s' (line %d). "
        "URDF supports only trees; cut the loop at one of them.",
        name_of(r, r->link[child]), name_of(r, r->joint[joint]), name_of(r, r->joint[other]),
        fb_xml_place(r->xml, r->joint[other]).line);
  r->child_link[joint] = child;
  r->parent_joint[child] = joint;
  r->parent_link[child] = parent;
  return FB_OK;
}

static fb_status refuse_several_roots(const fb_urdf_reader* r, int first, int second) {
  enum { SHOWN = 8 };
  const char* roots[SHOWN + 1] = {NULL};
  char names[400];
  int count = 0;
  for (int i = 0; i < r->nlink; i++) {
    if (r->parent_joint[i] >= 0) continue;
    if (count < SHOWN) roots[count] = name_of(r, r->link[i]);
    count++;
  }
  return fb_xml_fail(r->xml, r->link[second], r->error, FB_ERR_TREE,
                     "%d links have no parent joint: %s%s. A URDF is one tree: join them by joints, or put "
                     "them under a link named world (the first of them, '%.40s', is at line %d).",
                     count, fb_words_join(roots, "'", names, sizeof names), count > SHOWN ? ", ..." : "",
                     name_of(r, r->link[first]), fb_xml_place(r->xml, r->link[first]).line);
}

/* The only link without a parent joint. */
static fb_status find_root(const fb_urdf_reader* r, int* root) {
  *root = -1;
  for (int i = 0; i < r->nlink; i++) {
    if (r->parent_joint[i] >= 0) continue;
    if (*root >= 0) return refuse_several_roots(r, *root, i);
    *root = i;
  }
  if (*root >= 0) return FB_OK;
  return fb_xml_fail(
      r->xml, r->link[0], r->error, FB_ERR_TREE,
      "every link is the child of a joint, so the joints go round in a ring (from link '%s' on). "
      "One link must be the root.",
      name_of(r, r->link[0]));
}

/* With one root, as many reached links as links means a tree; others hang on a ring. */
static fb_status refuse_rings(const fb_urdf_reader* r, int root) {
  for (int i = 0; i < r->nlink; i++) {
    int at = i, steps = 0;
    if (r->body[i]) continue; /* known to lead to the root */
    while (at != root && !r->body[at] && steps++ <= r->nlink) at = r->parent_link[at];
    if (steps > r->nlink)
      return fb_xml_fail(r->xml, r->link[i], r->error, FB_ERR_TREE,
                         "link '%s' does not hang on the root '%s': the joints above it go round in a ring",
                         name_of(r, r->link[i]), name_of(r, r->link[root]));
    for (at = i; at != root && !r->body[at]; at = r->parent_link[at]) r->body[at] = 1;
  }
  memset(r->body, 0, (size_t)r->nlink * sizeof *r->body);
  return FB_OK;
}

fb_status fb_urdf_connect(fb_urdf_reader* r, int* root) {
  for (int i = 0; i < r->nlink; i++) r->parent_joint[i] = r->parent_link[i] = r->first_joint[i] = -1;
  for (int j = 0; j < r->njoint; j++) {
    fb_status status = connect_joint(r, j);
    if (status) return status;
  }
  /* Backwards, so that each link's joints come out in document order. */
  for (int j = r->njoint - 1; j >= 0; j--) {
    int parent = r->parent_link[r->child_link[j]];
    r->next_joint[j] = r->first_joint[parent];
    r->first_joint[parent] = j;
  }
  fb_status status = find_root(r, root);
  return status ? status : refuse_rings(r, *root);
}
