/* package.c -- finds the mesh files that a URDF names by package. See format/urdf/package.h. */
#include "format/urdf/package.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "format/color.h"
#include "text/files.h"
#include "text/path.h"

enum { DEEPEST = 8, MOST_FOLDERS = 20000, MOST_ABOVE = 32, MOST_MANIFEST = 1 << 20 };

void fb_packages_open(fb_packages* p, const fb_io_options* options, const char* file) {
  *p = (fb_packages){.options = options, .file = file};
}

static void free_list(fb_package_list* list) {
  for (size_t i = 0; i < list->count; i++) {
    free(list->rows[i].name);
    free(list->rows[i].folder);
  }
  free(list->rows);
}

void fb_packages_close(fb_packages* p) {
  free_list(&p->known);
  free_list(&p->crawled);
  free(p->folder);
}

static fb_status no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while packages were searched");
}

/* Takes over both; they are freed when there is no room. */
static int add_row(fb_package_list* list, char* name, char* folder) {
  if (name && fb_grow(&list->rows, list->count, 1, &list->room, sizeof *list->rows)) {
    list->rows[list->count++] = (fb_package){name, folder};
    return 1;
  }
  free(name);
  free(folder);
  return 0;
}

static const fb_package* find_row(const fb_package_list* list, const char* name) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->rows[i].name, name) == 0) return &list->rows[i];
  return NULL;
}

/* --- folders --- */

/* Whether folder/name is there; -1 when out of memory. */
static int has_file(const char* folder, const char* name) {
  char* path = fb_path_join(folder, name, strlen(name));
  if (!path) return -1;
  int found = access(path, F_OK) == 0;
  free(path);
  return found;
}

/* The text of the first <name> outside comments; its length in *length. NULL when there is none. */
static const char* find_name(const char* text, size_t* length) {
  for (const char* p = text; (p = strchr(p, '<')) != NULL; p++) {
    if (strncmp(p, "<!--", 4) == 0) {
      p = strstr(p, "-->");
      if (!p) return NULL;
    } else if (strncmp(p, "<name>", 6) == 0) {
      p += 6 + strspn(p + 6, " \t\r\n");
      *length = strcspn(p, "< \t\r\n");
      return p;
    }
  }
  return NULL;
}

static const char* last_step(const char* folder) {
  const char* slash = strrchr(folder, '/');
  return slash ? slash + 1 : folder;
}

/* The name in folder/package.xml, or the folder's own when it has none there; NULL when out of memory. */
static char* package_name(const char* folder) {
  char* path = fb_path_join(folder, "package.xml", 11);
  char* text = NULL;
  size_t size, length = 0;
  fb_error ignored;
  if (!path) return NULL;
  fb_status status = fb_file_read_most(path, MOST_MANIFEST, &text, &size, &ignored);
  free(path);
  if (status == FB_ERR_MEMORY) return NULL;
  const char* name = status == FB_OK ? find_name(text, &length) : NULL;
  char* copy = name && length > 0 ? strndup(name, length) : strdup(last_step(folder));
  free(text);
  return copy;
}

/* --- ROS_PACKAGE_PATH --- */

typedef struct folder_row {
  char* path;
  int depth;
} folder_row;

typedef struct folder_stack {
  folder_row* rows;
  size_t count, room;
  int visited;
} folder_stack;

static int push(folder_stack* stack, char* path, int depth) {
  if (path && fb_grow(&stack->rows, stack->count, 1, &stack->room, sizeof *stack->rows)) {
    stack->rows[stack->count++] = (folder_row){path, depth};
    return 1;
  }
  free(path);
  return 0;
}

static int is_entry(const struct dirent* entry) {
  return entry->d_name[0] != '.';
}

/* The last by name first, so that the stack gives the first. */
static int by_name(const struct dirent** a, const struct dirent** b) {
  return strcmp((*b)->d_name, (*a)->d_name);
}

/* The folders in a folder; 0 when out of memory. */
static int push_inside(folder_stack* stack, const char* folder, int depth) {
  struct dirent** entries;
  int count = scandir(folder, &entries, is_entry, by_name), done = 1;
  if (count < 0) return 1; /* no folder, or one that may not be read */
  for (int i = 0; i < count; i++) {
    const char* name = entries[i]->d_name;
    struct stat info;
    char* path = done ? fb_path_join(folder, name, strlen(name)) : NULL;
    done = done && path;
    if (path && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
      done = push(stack, path, depth);
    else
      free(path);
    free(entries[i]);
  }
  free((void*)entries);
  return done;
}

/* A folder with package.xml is a package, and nothing in it is one, as rospack has it. 0 when out of memory. */
static int visit(fb_packages* p, folder_stack* stack, char* folder, int depth) {
  int package = has_file(folder, "package.xml");
  if (package > 0) return add_row(&p->crawled, package_name(folder), folder);
  int ignored = has_file(folder, "CATKIN_IGNORE"), closed = has_file(folder, "rospack_nosubdirs");
  int done = package == 0 && ignored >= 0 && closed >= 0;
  if (done && !ignored && !closed && depth < DEEPEST) done = push_inside(stack, folder, depth + 1);
  free(folder);
  return done;
}

static int crawl(fb_packages* p, folder_stack* stack) {
  int done = 1;
  while (stack->count > 0) {
    folder_row row = stack->rows[--stack->count];
    if (done && stack->visited++ < MOST_FOLDERS)
      done = visit(p, stack, row.path, row.depth);
    else
      free(row.path);
  }
  return done;
}

/* Calls `take` with each folder of a list as PATH has it, until it gives nonzero; what it gave. */
typedef int (*take_folder)(void* user, char* folder);

static int each_folder(const char* variable, take_folder take, void* user) {
  const char* list = getenv(variable);
  int result = 0;
  while (list && *list && !result) {
    size_t n = strcspn(list, ":");
    char* part = n ? strndup(list, n) : NULL;
    if (n && !part) return -1;
    if (part) result = take(user, part);
    list += n + (list[n] == ':');
  }
  return result;
}

typedef struct crawl_run {
  fb_packages* p;
  folder_stack stack;
} crawl_run;

static int crawl_folder(void* user, char* part) {
  crawl_run* run = (crawl_run*)user;
  char* folder = fb_path_absolute(part);
  free(part);
  return folder && push(&run->stack, folder, 0) && crawl(run->p, &run->stack) ? 0 : -1;
}

static fb_status crawl_all(fb_packages* p, fb_error* error) {
  if (p->is_crawled) return FB_OK;
  crawl_run run = {.p = p};
  int failed = each_folder("ROS_PACKAGE_PATH", crawl_folder, &run);
  free(run.stack.rows);
  p->is_crawled = 1;
  return failed ? no_memory(error) : FB_OK;
}

/* --- where a package is --- */

typedef struct wanted {
  const char *name, *below; /* below: a folder between the prefix and the package, as "/share" */
  char* folder;
} wanted;

/* prefix/below/NAME, when it is there. */
static int try_prefix(void* user, char* part) {
  wanted* want = (wanted*)user;
  char *prefix = fb_path_absolute(part),
       *inside = prefix ? fb_path_join(prefix, want->below, strlen(want->below)) : NULL;
  char* folder = inside ? fb_path_join(inside, want->name, strlen(want->name)) : NULL;
  free(part);
  free(prefix);
  free(inside);
  if (!folder) return -1;
  if (access(folder, F_OK) != 0) {
    free(folder);
    return 0;
  }
  want->folder = folder;
  return 1;
}

/* In the environment's folders: packages of ROS 1 and 2, or models of Gazebo. */
static fb_status find_in_environment(fb_packages* p, wanted* want, int is_model, fb_error* error) {
  static const char* const models[] = {"GAZEBO_MODEL_PATH", "GZ_SIM_RESOURCE_PATH",
                                       "IGN_GAZEBO_RESOURCE_PATH", NULL};
  static const char* const packages[] = {"AMENT_PREFIX_PATH", NULL};
  const char* const* variables = is_model ? models : packages;
  fb_status status = is_model ? FB_OK : crawl_all(p, error);
  if (status) return status;
  const fb_package* crawled = is_model ? NULL : find_row(&p->crawled, want->name);
  if (crawled) {
    want->folder = strdup(crawled->folder);
    return want->folder ? FB_OK : no_memory(error);
  }
  want->below = is_model ? "." : "share";
  for (; *variables && !want->folder; variables++)
    if (each_folder(*variables, try_prefix, want) < 0) return no_memory(error);
  return FB_OK;
}

/* Whether a folder is the package: its package.xml has the name, or it is named so itself. -1: out of memory. */
static int is_package(const char* folder, const char* name) {
  if (strcmp(last_step(folder), name) == 0) return 1;
  if (has_file(folder, "package.xml") <= 0) return 0;
  char* found_name = package_name(folder);
  if (!found_name) return -1;
  int same = strcmp(found_name, name) == 0;
  free(found_name);
  return same;
}

/* In the folders above the URDF, nearest first: the folder itself, or one in it that has the name and the file. */
static fb_status find_above(fb_packages* p, wanted* want, const char* rest, fb_error* error) {
  char* folder = p->folder[0] ? strdup(p->folder) : NULL;
  if (p->folder[0] && !folder) return no_memory(error);
  for (int i = 0; folder && folder[0] && i < MOST_ABOVE && !want->folder; i++) {
    int found = is_package(folder, want->name);
    char* inside = fb_path_join(folder, want->name, strlen(want->name));
    if (found < 0 || !inside) {
      free(folder);
      free(inside);
      return no_memory(error);
    }
    if (found)
      want->folder = strdup(folder);
    else if (has_file(inside, "package.xml") > 0 || has_file(inside, rest) > 0)
      want->folder = strdup(inside);
    free(inside);
    *strrchr(folder, '/') = '\0';
  }
  free(folder);
  return FB_OK;
}

/* Among the pairs; the folder after '=', or NULL. */
static const char* find_given(const fb_packages* p, const char* name) {
  size_t length = strlen(name);
  if (!p->options || !p->options->packages) return NULL;
  for (const char* const* pair = p->options->packages; *pair; pair++)
    if (strncmp(*pair, name, length) == 0 && (*pair)[length] == '=') return *pair + length + 1;
  return NULL;
}

static fb_status find_package(fb_packages* p, char* name, const char* rest, int is_model, const char** folder,
                              int* is_new, fb_error* error) {
  const fb_package* known = find_row(&p->known, name);
  *is_new = !known;
  if (known) {
    *folder = known->folder;
    free(name);
    return FB_OK;
  }
  wanted want = {.name = name};
  const char* given = find_given(p, name);
  fb_status status = FB_OK;
  if (given && !(want.folder = fb_path_absolute(given))) status = no_memory(error);
  if (!status && !want.folder) status = find_in_environment(p, &want, is_model, error);
  if (!status && !want.folder) status = find_above(p, &want, rest, error);
  *folder = NULL;
  if (status) {
    free(name);
    free(want.folder);
    return status;
  }
  if (!add_row(&p->known, name, want.folder)) return no_memory(error);
  *folder = want.folder;
  return FB_OK;
}

/* --- addresses --- */

static fb_status resolve_in_package(fb_packages* p, const char* address, const char* rest, int is_model,
                                    char** out, int* found, fb_error* error) {
  size_t length = strcspn(rest, "/");
  const char* folder = NULL;
  char* name = strndup(rest, length);
  int is_new = 0;
  if (!p->folder) p->folder = fb_path_folder(p->file);
  if (!name || !p->folder) {
    free(name);
    return no_memory(error);
  }
  rest += length + (rest[length] == '/');
  fb_status status = find_package(p, name, rest, is_model, &folder, &is_new, error);
  if (status) return status;
  *found = folder ? 1 : is_new ? 0 : -1;
  char* whole = folder ? fb_path_join(folder, rest, strlen(rest)) : NULL;
  char* file = whole ? fb_path_absolute(whole) : NULL;
  free(whole);
  *out = !folder ? strdup(address) : file ? fb_path_from(p->folder, file) : NULL;
  free(file);
  return *out ? FB_OK : no_memory(error);
}

/* A name with the separators of Windows, where no file has it as it is. */
static fb_status resolve_plain(fb_packages* p, const char* name, char** out, fb_error* error) {
  *out = strdup(name);
  if (!*out) return no_memory(error);
  if (!strchr(name, '\\')) return FB_OK;
  if (!p->folder) p->folder = fb_path_folder(p->file);
  int there = p->folder ? has_file(p->folder, name) : -1;
  if (there < 0) {
    free(*out);
    *out = NULL;
    return no_memory(error);
  }
  for (char* c = *out; *c && !there; c++)
    if (*c == '\\') *c = '/';
  return FB_OK;
}

/* The byte that %XX stands for, or 0. */
static int escaped(const char* text) {
  int high = text[0] == '%' ? fb_hex_digit(text[1]) : -1, low = high >= 0 ? fb_hex_digit(text[2]) : -1;
  return low >= 0 ? 16 * high + low : 0;
}

static void unescape(char* text) {
  char* out = text;
  for (const char* in = text; *in; out++) {
    int byte = escaped(in);
    *out = byte ? (char)byte : *in;
    in += byte ? 3 : 1;
  }
  *out = '\0';
}

/* An address with %20 and the like, where no file has it as it is, but one has what it stands for. */
static fb_status resolve_escapes(fb_packages* p, char* name, fb_error* error) {
  const char* percent = strchr(name, '%');
  while (percent && !escaped(percent)) percent = strchr(percent + 1, '%');
  if (!percent) return FB_OK;
  if (!p->folder) p->folder = fb_path_folder(p->file);
  char* plain = strdup(name);
  if (plain) unescape(plain);
  const char* folder = name[0] == '/' ? "" : p->folder;
  int there = folder && plain ? has_file(folder, name) : -1;
  int other = there == 0 ? has_file(folder, plain) : there;
  if (there == 0 && other > 0) strcpy(name, plain); /* which is shorter */
  free(plain);
  return there < 0 || other < 0 ? no_memory(error) : FB_OK;
}

static fb_status resolve_address(fb_packages* p, const char* address, char** out, int* found,
                                 fb_error* error) {
  if (strncmp(address, "package://", 10) == 0)
    return resolve_in_package(p, address, address + 10, 0, out, found, error);
  if (strncmp(address, "model://", 8) == 0)
    return resolve_in_package(p, address, address + 8, 1, out, found, error);
  if (strncmp(address, "file://", 7) == 0) address += strncmp(address, "file://localhost/", 17) == 0 ? 16 : 7;
  return resolve_plain(p, address, out, error);
}

fb_status fb_packages_resolve(fb_packages* p, const char* address, char** out, int* found, fb_error* error) {
  *out = NULL;
  *found = 1;
  fb_status status = resolve_address(p, address, out, found, error);
  if (!status) status = resolve_escapes(p, *out, error);
  if (!status) return FB_OK;
  free(*out);
  *out = NULL;
  return status;
}
