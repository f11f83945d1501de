/* include.c -- <include> of SDF: the model of another file, as a child of what the <include> is in.
 *
 * <uri> is an address as meshes have them (format/urdf/package.c), of a file or of a folder with model.config, which lists files by
 * version, or model.sdf. <name>, <pose>, <placement_frame> and <static> of the <include> take the place of the model's own. With
 * merge="true" what is in the model has its names in the model around it, as if it were written there, relative to a frame
 * "_merged__NAME__model__" at the pose; the model has that name then, and the attribute freebody_merged. Each model
 * keeps the version of its file in the attribute freebody_version, and its meshes are named from the main file, so that the
 * whole can be printed as one file that needs no other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <freebody/support/files.h>

#include "base/copy_text.h"
#include "base/grow.h"
#include "format/notes.h"
#include "format/sdf/reader.h"
#include "text/path.h"

enum { MOST_INCLUDES = 1000, DEEPEST = 16, MOST_CONFIG = 10000, MOST_BYTES = 256 << 20 };

struct fb_sdf_include {
  int first;  /* of the elements that it brought; they continue to those of the next */
  char* file; /* that it is from */
  int depth;  /* of files that include one another */
};

static int is_tag(const fb_xml* xml, int e, const char* tag) {
  return strcmp(fb_xml_name(xml, e), tag) == 0;
}

int fb_sdf_is_include(const fb_xml* xml, int e) {
  int parent = fb_xml_parent(xml, e);
  return e > 0 && is_tag(xml, e, "include") &&
         (parent == 0 || is_tag(xml, parent, "world") || is_tag(xml, parent, "model"));
}

/* The one that brought an element; NULL: it is of the main file. */
static const fb_sdf_include* bringer(const fb_sdf_reader* r, int e) {
  const fb_sdf_include* found = NULL;
  for (size_t i = 0; i < r->ninclude && r->includes[i].first <= e; i++) found = &r->includes[i];
  return found;
}

const char* fb_sdf_file_of(const fb_sdf_reader* r, int element) {
  const fb_sdf_include* by = bringer(r, element);
  return by ? by->file : NULL;
}

/* --- where it is --- */

static char* trimmed(const char* text) {
  size_t n = strlen(text);
  while (n > 0 && strchr(" \n\t\r", text[n - 1])) n--;
  char* copy = malloc(n + 1);
  if (copy) snprintf(copy, n + 1, "%s", text);
  return copy;
}

static int is_there(const char* path, int folder) {
  struct stat info;
  return stat(path, &info) == 0 && (S_ISDIR(info.st_mode) != 0) == folder;
}

/* The file that an address means as seen from `from`; NULL in *path when there is none. */
static fb_status find_file(const fb_sdf_reader* r, const char* from, const char* address, char** path) {
  fb_packages packages;
  char* name = NULL;
  int found;
  *path = NULL;
  fb_packages_open(&packages, r->options, from);
  fb_status status = fb_packages_resolve(&packages, address, &name, &found, r->error);
  fb_packages_close(&packages);
  if (!status && found > 0) *path = fb_path_beside(from, name);
  if (!status && found > 0 && !*path) status = fb_sdf_no_memory(r);
  free(name);
  if (*path && !is_there(*path, 0) && !is_there(*path, 1)) {
    free(*path);
    *path = NULL;
  }
  return status;
}

/* In a folder: what model.config lists with the highest version that is read, or model.sdf. */
static fb_status find_in_folder(const fb_sdf_reader* r, char** path) {
  char *folder = *path, *config = fb_path_join(folder, "model.config", 12), *text = NULL;
  const char* best = "model.sdf";
  size_t size;
  double newest = 0, version = 0;
  fb_xml* xml = NULL;
  fb_error ignored;
  if (config && is_there(config, 0) && fb_file_read(config, &text, &size, &ignored) == FB_OK)
    fb_xml_parse_texts(text, size, config, MOST_CONFIG, &xml, &ignored);
  for (int e = xml ? fb_xml_first(xml, 0) : FB_XML_NONE; e != FB_XML_NONE; e = fb_xml_next(xml, e)) {
    const char* given = fb_xml_attribute(xml, e, "version");
    version = 1.2;
    if (given) fb_sdf_version(given, &version);
    if (!is_tag(xml, e, "sdf") || !(version > newest && version < 2)) continue;
    newest = version;
    best = fb_xml_text(xml, e);
  }
  best += strspn(best, " \n\t\r");
  *path = fb_path_join(folder, best, strcspn(best, " \n\t\r"));
  free(folder);
  free(config);
  free(text);
  fb_xml_free(xml);
  return *path ? FB_OK : fb_sdf_no_memory(r);
}

/* Gazebo's light and its static plane, which most worlds include, by the last part of their address: nothing that moves. */
static const char* scenery(const char* uri) {
  static const char* const names[] = {"sun", "groundplane"};
  char name[16] = "";
  size_t n = strlen(uri), length = 0;
  while (n > 0 && uri[n - 1] == '/') n--;
  size_t from = n;
  while (from > 0 && uri[from - 1] != '/') from--;
  for (size_t i = from; i < n && length < sizeof name - 1; i++) {
    char c = uri[i];
    if (strncmp(uri + i, "%20", 3) == 0)
      i += 2;
    else if (c != '_' && c != ' ')
      name[length++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
  }
  for (int i = 0; i < 2; i++)
    if (strcmp(name, names[i]) == 0) return i ? "a plane that does not move" : "a light";
  return NULL;
}

/* NULL in *path for what is left out. */
static fb_status find_model(fb_sdf_reader* r, int e, const char* from, const char* uri, char** path) {
  fb_status status = find_file(r, from, uri, path);
  if (!status && !*path && !strstr(uri, "://")) { /* as Gazebo: a model by its name */
    char* address = fb_join_texts("model://", uri, "");
    status = address ? find_file(r, from, address, path) : fb_sdf_no_memory(r);
    free(address);
  }
  if (status) return status;
  if (!*path && scenery(uri))
    return fb_unread_add(&r->unread, e,
                         "lost: <include> of '%.90s' is not found; it is taken for %s, and left out", uri,
                         scenery(uri));
  if (!*path)
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_IO,
                       "<include>: '%.200s' is not found; name the folder of a model with --package "
                       "NAME=DIR, or the folder that it is in with GAZEBO_MODEL_PATH or GZ_SIM_RESOURCE_PATH",
                       uri);
  return is_there(*path, 1) ? find_in_folder(r, path) : FB_OK;
}

/* --- what it brings --- */

/* Meshes are named from the main file. */
static fb_status rename_meshes(fb_sdf_reader* r, int first, const char* file) {
  fb_packages packages;
  char* here = fb_path_folder(r->file);
  fb_status status = here ? FB_OK : fb_sdf_no_memory(r);
  fb_packages_open(&packages, r->options, file);
  for (int e = first; e < fb_xml_count(r->xml) && !status; e++) {
    char *name = NULL, *beside = NULL, *whole = NULL, *address;
    int found;
    if (!is_tag(r->xml, e, "uri") || !is_tag(r->xml, fb_xml_parent(r->xml, e), "mesh")) continue;
    const char* text = fb_xml_text(r->xml, e);
    address = trimmed(text + strspn(text, " \n\t\r"));
    status = address ? fb_packages_resolve(&packages, address, &name, &found, r->error) : fb_sdf_no_memory(r);
    if (!status && found > 0) {
      beside = fb_path_beside(file, name);
      whole = beside ? fb_path_absolute(beside) : NULL;
      free(name);
      name = whole ? fb_path_from(here, whole) : NULL;
      if (!name || !fb_xml_set_text(r->xml, e, name)) status = fb_sdf_no_memory(r);
    }
    free(whole);
    free(beside);
    free(name);
    free(address);
  }
  fb_packages_close(&packages);
  free(here);
  return status;
}

/* An attribute of the model by the text of an element of the <include>, if there is any. */
static int override_attribute(fb_sdf_reader* r, int include, int model, const char* tag,
                              const char* attribute) {
  const char* given = fb_sdf_text(r, include, tag);
  if (!given || !*given) return 1;
  char* value = trimmed(given);
  int done = value && fb_xml_set_attribute(r->xml, model, attribute, value);
  free(value);
  return done;
}

static int is_merged(const fb_sdf_reader* r, int include) {
  const char* merge = fb_xml_attribute(r->xml, include, "merge");
  return merge && (strcmp(merge, "true") == 0 || strcmp(merge, "1") == 0);
}

/* The model around moves with its first link, which may be one that is merged: they come last here, in the file they may be first. */
static int keep_first_link(fb_sdf_reader* r, int include, int model) {
  int around = fb_xml_parent(r->xml, include), link = fb_xml_child(r->xml, around, "link");
  const char* first = fb_xml_attribute(r->xml, model, "canonical_link");
  if (fb_xml_attribute(r->xml, around, "canonical_link") || (link != FB_XML_NONE && link < include)) return 1;
  link = fb_xml_child(r->xml, model, "link");
  if ((!first || !*first) && link != FB_XML_NONE) first = fb_xml_attribute(r->xml, link, "name");
  char* copy = first && *first ? fb_copy_text(first) : NULL;
  int done = !(first && *first) || (copy && fb_xml_set_attribute(r->xml, around, "canonical_link", copy));
  free(copy);
  return done;
}

static int merge(fb_sdf_reader* r, int include, int model) {
  const char* given = fb_xml_attribute(r->xml, model, "name");
  char* name = fb_join_texts("_merged__", given ? given : "", "__model__");
  int done = name && keep_first_link(r, include, model) &&
             fb_xml_set_attribute(r->xml, model, "name", name) &&
             fb_xml_set_attribute(r->xml, model, "freebody_merged", "true");
  free(name);
  return done;
}

static fb_status override(fb_sdf_reader* r, int include, int model, const char* version) {
  static const char* const tags[] = {"static", "pose"};
  int done = override_attribute(r, include, model, "name", "name") &&
             override_attribute(r, include, model, "placement_frame", "placement_frame") &&
             fb_xml_set_attribute(r->xml, model, "freebody_version", version);
  for (int i = 0; i < 2 && done; i++) {
    int e = fb_xml_child(r->xml, include, tags[i]);
    if (e != FB_XML_NONE) done = fb_xml_copy_first(r->xml, model, e);
  }
  if (done && is_merged(r, include)) done = merge(r, include, model);
  return done ? FB_OK : fb_sdf_no_memory(r);
}

/* Takes over `file`. */
static fb_status bring(fb_sdf_reader* r, int e, char* file, int depth, const fb_xml* other) {
  const char* version = fb_xml_attribute(other, 0, "version");
  int model = fb_xml_child(other, 0, "model"), first = fb_xml_count(r->xml);
  double unused;
  if (!fb_grow(&r->includes, r->ninclude, 1, &r->include_room, sizeof *r->includes)) {
    free(file);
    return fb_sdf_no_memory(r);
  }
  r->includes[r->ninclude++] = (fb_sdf_include){first, file, depth};
  if ((!is_tag(other, 0, "sdf") && !is_tag(other, 0, "gazebo")) || !version ||
      !fb_sdf_version(version, &unused))
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_UNSUPPORTED,
                       "<include>: '%.200s' is no SDF of versions 1.2 to 1.12", file);
  if (model == FB_XML_NONE)
    return fb_io_note(r->options, "lost: line %d: <include> of '%.200s', which has no model",
                      fb_xml_place(r->xml, e).line, file);
  model = fb_xml_graft(r->xml, fb_xml_parent(r->xml, e), other, model);
  if (model == FB_XML_NONE)
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_MEMORY, "<include> brings more than there is room for");
  fb_status status = rename_meshes(r, model, file);
  return status ? status : override(r, e, model, version);
}

static fb_status refuse_unread(const fb_sdf_reader* r, int e) {
  if (is_merged(r, e) && !is_tag(r->xml, fb_xml_parent(r->xml, e), "model"))
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_UNSUPPORTED,
                       "<include> with merge=\"true\" is read in a <model> alone; put what it includes into "
                       "the file first, as `gz sdf -p FILE` does");
  if (fb_xml_child(r->xml, e, "placement_frame") != FB_XML_NONE &&
      fb_xml_child(r->xml, e, "pose") == FB_XML_NONE)
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT,
                       "<include> with <placement_frame> needs <pose>: that of this frame");
  return FB_OK;
}

static fb_status include(fb_sdf_reader* r, int e) {
  const fb_sdf_include* by = bringer(r, e);
  const char *uri = fb_sdf_text(r, e, "uri"), *from = by ? by->file : r->file;
  int depth = by ? by->depth + 1 : 1;
  char *address, *path = NULL, *text = NULL;
  size_t size;
  fb_xml* other = NULL;
  if (!uri || !*uri) return fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT, "<include> needs <uri>");
  if (depth > DEEPEST || r->ninclude >= MOST_INCLUDES)
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT,
                       "<include>: more than %d files that include one another, or than %d in all",
                       (int)DEEPEST, (int)MOST_INCLUDES);
  fb_status status = refuse_unread(r, e);
  if (status) return status;
  address = trimmed(uri);
  status = address ? find_model(r, e, from, address, &path) : fb_sdf_no_memory(r);
  free(address);
  if (!status && !path) return FB_OK;
  if (!status) {
    fb_error why;
    status = fb_file_read(path, &text, &size, &why);
    if (status) fb_xml_fail(r->xml, e, r->error, status, "<include>: '%.200s': %s", path, why.text);
  }
  if (!status && (r->included += size) > MOST_BYTES)
    status = fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT, "<include>: more than 256 MiB are included");
  if (!status) status = fb_xml_parse_texts(text, size, path, (size_t)fb_sdf_most_elements, &other, r->error);
  free(text);
  if (status)
    free(path);
  else
    status = bring(r, e, path, depth, other);
  fb_xml_free(other);
  return status;
}

fb_status fb_sdf_include_all(fb_sdf_reader* r) {
  fb_status status = FB_OK;
  for (int e = 1; e < fb_xml_count(r->xml) && !status; e++) /* more may come */
    if (fb_sdf_is_include(r->xml, e)) status = include(r, e);
  return status;
}

void fb_sdf_forget_includes(fb_sdf_reader* r) {
  for (size_t i = 0; i < r->ninclude; i++) free(r->includes[i].file);
  free(r->includes);
}
