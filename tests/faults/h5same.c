/* h5same.c -- whether two HDF5 files hold the same: objects, attributes, types, shapes and values. Their bytes may
 * differ, because HDF5 stores a chunk uncompressed when compressing it finds no memory.
 *   h5same A.h5 B.h5      exit code 0: the same; 1: not, and the first difference on standard output */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct counter {
  hid_t other; /* the file to compare with */
  int objects;
} counter;

static int differs(const char* name, const char* what) {
  printf("%s: %s\n", name, what);
  return 1;
}

typedef herr_t (*reader)(hid_t id, hid_t type, void* values);

static herr_t read_dataset(hid_t id, hid_t type, void* values) {
  return H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
}

static herr_t read_attribute(hid_t id, hid_t type, void* values) {
  return H5Aread(id, type, values);
}

/* Values of a and b, which have this type and shape. */
static int compare_values(hid_t a, hid_t b, hid_t type, hid_t space, reader read, const char* name) {
  size_t count = (size_t)H5Sget_simple_extent_npoints(space), size = H5Tget_size(type);
  if (H5Tis_variable_str(type) > 0 || H5Tdetect_class(type, H5T_VLEN) > 0)
    return differs(name, "values of varying length, which h5same does not know");
  char *x = (char*)calloc(count + 1, size), *y = (char*)calloc(count + 1, size);
  int other = !x || !y || read(a, type, x) < 0 || read(b, type, y) < 0 || memcmp(x, y, count * size) != 0;
  free(x);
  free(y);
  return other ? differs(name, "other values") : 0;
}

static int compare_arrays(hid_t a, hid_t b, const hid_t types[2], const hid_t spaces[2], reader read,
                          const char* name) {
  if (H5Tequal(types[0], types[1]) <= 0) return differs(name, "another type");
  if (H5Sextent_equal(spaces[0], spaces[1]) <= 0) return differs(name, "another shape");
  return compare_values(a, b, types[0], spaces[0], read, name);
}

static herr_t visit_attribute(hid_t object, const char* name, const H5A_info_t* info, void* other) {
  (void)info;
  hid_t a = H5Aopen(object, name, H5P_DEFAULT), b = H5Aopen(*(hid_t*)other, name, H5P_DEFAULT);
  if (b < 0) return differs(name, "no such attribute");
  const hid_t types[2] = {H5Aget_type(a), H5Aget_type(b)}, spaces[2] = {H5Aget_space(a), H5Aget_space(b)};
  return compare_arrays(a, b, types, spaces, read_attribute, name);
}

static int compare_objects(hid_t a, hid_t b, const char* name) {
  if (H5Iget_type(a) != H5Iget_type(b)) return differs(name, "another kind of object");
  if (H5Aget_num_attrs(a) != H5Aget_num_attrs(b)) return differs(name, "another number of attributes");
  if (H5Aiterate2(a, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_attribute, &b) != 0)
    return differs(name, "its attributes differ");
  if (H5Iget_type(a) != H5I_DATASET) return 0;
  const hid_t types[2] = {H5Dget_type(a), H5Dget_type(b)}, spaces[2] = {H5Dget_space(a), H5Dget_space(b)};
  return compare_arrays(a, b, types, spaces, read_dataset, name);
}

static herr_t visit_link(hid_t group, const char* name, const H5L_info_t* info, void* user) {
  counter* c = (counter*)user;
  (void)info;
  c->objects++;
  if (H5Lexists(c->other, name, H5P_DEFAULT) <= 0) return differs(name, "is not there");
  return compare_objects(H5Oopen(group, name, H5P_DEFAULT), H5Oopen(c->other, name, H5P_DEFAULT), name);
}

static herr_t count_link(hid_t group, const char* name, const H5L_info_t* info, void* user) {
  (void)group, (void)name, (void)info;
  ++*(int*)user;
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  hid_t a = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT), b = H5Fopen(argv[2], H5F_ACC_RDONLY, H5P_DEFAULT);
  if (a < 0 || b < 0) return differs(argv[a < 0 ? 1 : 2], "cannot be opened");
  counter c = {b, 0};
  int objects = 0;
  if (compare_objects(H5Oopen(a, "/", H5P_DEFAULT), H5Oopen(b, "/", H5P_DEFAULT), "/") ||
      H5Lvisit(a, H5_INDEX_NAME, H5_ITER_INC, visit_link, &c) != 0)
    return 1;
  if (H5Lvisit(b, H5_INDEX_NAME, H5_ITER_INC, count_link, &objects) < 0 || objects != c.objects)
    return differs("/", "another number of objects");
  return 0;
}
