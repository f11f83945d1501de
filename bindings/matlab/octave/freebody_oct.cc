// freebody_oct.cc -- the gateway as an .oct file: the functions of mex.h that the toolbox uses, on Octave's own values
//
// Octave's MEX layer converts all fields of a structure at each call, and back: some 50 us for LP and SV, thirty times
// what f_dyn itself needs. Here a field is looked up when it is asked for, and numbers are never copied. The C sources
// are the same; linked with this file they find these functions instead of Octave's. Octave prefers f_dyn.oct to
// f_dyn.mex where both are there.
#include <octave/oct.h>
#include <octave/interpreter.h>
#include <octave/oct-map.h>
#include <octave/Cell.h>
#include <octave/ov-re-mat.h>
#include <octave/parse.h>

#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <octave/mxtypes.h>

extern "C" {
#include "freebody_help.h"
#include "names.h"
void mx_cache_clear(void);
void api_free_all(void);
}

// A value in a call: an octave_value, or a structure whose fields may be changed.
struct value {
  octave_value v;
  octave_scalar_map map;
  bool has_map = false;
  dim_vector dims;           // of the last call of mxGetDimensions
  std::vector<value*> cells; // of a cell array that is being made
};
#define mxArray value // Octave has a class of that name

extern "C" void mexFunction(int nlhs, mxArray* plhs[], int nrhs, const mxArray* prhs[]);

namespace {

// Values and memory live until the call that made them returns; calls may be nested.
std::vector<value*> pool;
std::vector<void*> blocks;
size_t used;
const char* function_name = "freebody_mex";

value* take(const octave_value& v) {
  if (used == pool.size()) pool.push_back(new value);
  value* a = pool[used++];
  a->v = v;
  a->has_map = false;
  return a;
}

struct scope {
  size_t first = used, block = blocks.size();
  const char* name = function_name;
  explicit scope(const char* called) {
    function_name = called;
  }
  ~scope() {
    for (size_t i = first; i < used; i++) {
      pool[i]->v = octave_value();
      if (pool[i]->has_map) pool[i]->map = octave_scalar_map();
      pool[i]->cells.clear();
    }
    used = first;
    for (size_t i = block; i < blocks.size(); i++) free(blocks[i]);
    blocks.resize(block);
    function_name = name;
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
};

// When the library is unloaded.
struct at_exit {
  ~at_exit() {
    mx_cache_clear();
    api_free_all();
    for (value* v : pool) delete v;
    pool.clear();
  }
} last;

octave_scalar_map& fields(const mxArray* a) {
  mxArray* s = const_cast<mxArray*>(a);
  if (!s->has_map) {
    s->map = s->v.scalar_map_value();
    s->has_map = true;
  }
  return s->map;
}

octave_value result(mxArray* a) {
  if (a->has_map) return octave_value(a->map);
  if (!a->cells.empty()) {
    Cell c(a->v.dims());
    for (size_t i = 0; i < a->cells.size(); i++)
      if (a->cells[i]) c(static_cast<octave_idx_type>(i)) = result(a->cells[i]);
    return octave_value(c);
  }
  return a->v;
}

octave_value_list call(const char* name, const octave_value_list& args, int nargout) {
  scope here(name);
  std::vector<const mxArray*> in(static_cast<size_t>(args.length()) + 1);
  std::vector<mxArray*> out(static_cast<size_t>(nargout) + 1);
  for (octave_idx_type i = 0; i < args.length(); i++) in[static_cast<size_t>(i)] = take(args(i));
  mexFunction(nargout, out.data(), static_cast<int>(args.length()), in.data());
  octave_value_list results;
  for (size_t i = 0; i < out.size() && out[i]; i++) results(static_cast<octave_idx_type>(i)) = result(out[i]);
  return results;
}

} // namespace

extern "C" {

// --- reading ---
const void* mxGetData(const mxArray* a) {
  const void* data = a->v.internal_rep()->mex_get_data();
  if (data || !a->v.isnumeric()) return data;
  mxArray* m = const_cast<mxArray*>(a); // a range, or a diagonal matrix
  m->v = a->v.is_single_type() ? octave_value(a->v.float_array_value()) : octave_value(a->v.array_value());
  return m->v.internal_rep()->mex_get_data();
}
double* mxGetPr(const mxArray* a) {
  return const_cast<double*>(static_cast<const double*>(mxGetData(a)));
}
double mxGetScalar(const mxArray* a) {
  return a->v.isempty() ? 0 : a->v.array_value()(0);
}
mwSize mxGetNumberOfElements(const mxArray* a) {
  return a->v.numel();
}
size_t mxGetM(const mxArray* a) {
  return static_cast<size_t>(a->v.rows());
}
size_t mxGetN(const mxArray* a) {
  return static_cast<size_t>(a->v.rows() ? a->v.numel() / a->v.rows() : a->v.columns());
}
mwSize mxGetNumberOfDimensions(const mxArray* a) {
  return a->v.ndims();
}
const mwSize* mxGetDimensions(const mxArray* a) {
  mxArray* m = const_cast<mxArray*>(a);
  m->dims = a->v.dims();
  return reinterpret_cast<const mwSize*>(&m->dims.xelem(0));
}
mxClassID mxGetClassID(const mxArray* a) {
  const octave_value& v = a->v;
  if (v.is_double_type()) return mxDOUBLE_CLASS;
  if (v.is_string()) return mxCHAR_CLASS;
  if (v.islogical()) return mxLOGICAL_CLASS;
  if (v.is_single_type()) return mxSINGLE_CLASS;
  if (v.isstruct()) return mxSTRUCT_CLASS;
  if (v.iscell()) return mxCELL_CLASS;
  if (v.is_int8_type()) return mxINT8_CLASS;
  if (v.is_uint8_type()) return mxUINT8_CLASS;
  if (v.is_int16_type()) return mxINT16_CLASS;
  if (v.is_uint16_type()) return mxUINT16_CLASS;
  if (v.is_int32_type()) return mxINT32_CLASS;
  if (v.is_uint32_type()) return mxUINT32_CLASS;
  if (v.is_int64_type()) return mxINT64_CLASS;
  if (v.is_uint64_type()) return mxUINT64_CLASS;
  return mxUNKNOWN_CLASS;
}
size_t mxGetElementSize(const mxArray* a) { // as full arrays, not as ranges
  switch (mxGetClassID(a)) {
    case mxCHAR_CLASS:
    case mxLOGICAL_CLASS:
    case mxINT8_CLASS:
    case mxUINT8_CLASS:
      return 1;
    case mxINT16_CLASS:
    case mxUINT16_CLASS:
      return 2;
    case mxSINGLE_CLASS:
    case mxINT32_CLASS:
    case mxUINT32_CLASS:
      return 4;
    default:
      return 8;
  }
}
const char* mxGetClassName(const mxArray* a) {
  std::string name = a->v.class_name();
  char* text = static_cast<char*>(malloc(name.size() + 1));
  blocks.push_back(text);
  return strcpy(text, name.c_str());
}
bool mxIsStruct(const mxArray* a) {
  return a->v.isstruct();
}
bool mxIsDouble(const mxArray* a) {
  return a->v.is_double_type();
}
bool mxIsNumeric(const mxArray* a) {
  return a->v.isnumeric();
}
bool mxIsLogical(const mxArray* a) {
  return a->v.islogical();
}
bool mxIsSparse(const mxArray* a) {
  return a->v.issparse();
}
bool mxIsComplex(const mxArray* a) {
  return a->v.iscomplex();
}
bool mxIsChar(const mxArray* a) {
  return a->v.is_string();
}
bool mxIsCell(const mxArray* a) {
  return a->v.iscell();
}
bool mxIsEmpty(const mxArray* a) {
  return a->v.isempty();
}
int mxGetString(const mxArray* a, char* text, mwSize size) {
  charNDArray letters = a->v.char_array_value();
  mwSize count = letters.numel() < size ? letters.numel() : size - 1;
  memcpy(text, letters.data(), static_cast<size_t>(count));
  text[count] = 0;
  return letters.numel() >= size;
}
mxArray* mxGetField(const mxArray* s, mwIndex, const char* name) {
  octave_scalar_map& map = fields(s);
  octave_scalar_map::const_iterator p = map.seek(name);
  return p == map.end() ? nullptr : take(map.contents(p));
}
mxArray* mxGetCell(const mxArray* a, mwIndex i) {
  return take(a->v.cell_value()(i));
}

// --- making ---
mxArray* mxCreateDoubleMatrix(mwSize rows, mwSize columns, mxComplexity) {
  return take(octave_value(new octave_matrix(NDArray(dim_vector(rows, columns), 0.0))));
}
mxArray* mxCreateNumericArray(mwSize count, const mwSize* dims, mxClassID, mxComplexity) {
  dim_vector d;
  d.resize(static_cast<int>(count));
  for (int i = 0; i < static_cast<int>(count); i++) d(i) = dims[i];
  return take(octave_value(new octave_matrix(NDArray(d, 0.0))));
}
mxArray* mxCreateDoubleScalar(double x) {
  return take(octave_value(x));
}
mxArray* mxCreateLogicalScalar(mxLogical x) {
  return take(octave_value(x != 0));
}
mxArray* mxCreateString(const char* text) {
  return take(octave_value(text));
}
mxArray* mxCreateStructMatrix(mwSize, mwSize, int count, const char** names) {
  mxArray* a = take(octave_value(octave_scalar_map()));
  a->map = octave_scalar_map();
  a->has_map = true;
  for (int i = 0; i < count; i++) a->map.setfield(names[i], octave_value(Matrix()));
  return a;
}
mxArray* mxCreateCellMatrix(mwSize rows, mwSize columns) {
  mxArray* a = take(octave_value(Cell(rows, columns)));
  a->cells.assign(static_cast<size_t>(rows * columns), nullptr);
  return a;
}
void mxSetCell(mxArray* a, mwIndex i, mxArray* x) {
  a->cells[static_cast<size_t>(i)] = x;
}
mxArray* mxDuplicateArray(const mxArray* a) {
  return take(a->v);
}
void mxSetField(mxArray* s, mwIndex, const char* name, mxArray* x) {
  fields(s).setfield(name, result(x));
}
int mxAddField(mxArray*, const char*) {
  return 0;
} // mxSetField adds it
void mxDestroyArray(mxArray*) {
}
void* mxMalloc(size_t size) {
  void* memory = malloc(size + 1);
  if (!memory) error("out of memory");
  blocks.push_back(memory);
  return memory;
}
void* mxCalloc(size_t count, size_t size) {
  return memset(mxMalloc(count * size), 0, count * size);
}
void mxFree(void*) {
}

// --- the interpreter ---
const char* mexFunctionName(void) {
  return function_name;
}
int mexAtExit(void (*)(void)) {
  return 0;
}
void mexLock(void) {
  octave::interpreter::the_interpreter()->mlock();
}
void mexErrMsgIdAndTxt(const char* id, const char* format, ...) {
  char text[2048];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (strcmp(function_name, "freebody_mex") == 0) error_with_id(id, "%s", text);
  error_with_id(id, "%s: %s", function_name, text); // as Octave's own
}
mxArray* mexGetVariable(const char*, const char* name) {
  octave_value v = octave::interpreter::the_interpreter()->global_varval(name);
  return v.is_defined() ? take(v) : nullptr;
}
int mexCallMATLAB(int nargout, mxArray** out, int nargin, mxArray** in, const char* name) {
  octave_value_list args;
  for (int i = 0; i < nargin; i++) args(i) = result(in[i]);
  octave_value_list results = octave::feval(name, args, nargout);
  for (int i = 0; i < nargout && i < results.length(); i++) out[i] = take(results(i));
  return 0;
}
int mexEvalString(const char* text) {
  int status = 0;
  octave::interpreter::the_interpreter()->eval_string(text, true, status);
  return 0;
}

} // extern "C"

// Octave looks for a function of the file's name, so there is one for each.
#define FUNCTION(name) \
  DEFUN_DLD(name, args, nargout, freebody_help_##name) { return call(#name, args, nargout); }
FREEBODY_FUNCTIONS(FUNCTION)
