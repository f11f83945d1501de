/* record.h -- the records of links: all that a recursion reads and writes of one link, at constant offsets.
 *
 * A record is a row of 3-vectors in the order of the passes. One address serves a link, and a vector is read and
 * written whole where the machine can: plain doubles leave room for a fourth number beside each (FB_VECTOR). Work that
 * concerns each link alone is done for a block of FB_BLOCK links at once; for it, parameters are interleaved: number c
 * of link i is at  (i / FB_BLOCK) FB_BLOCK SIZE + c FB_BLOCK + i % FB_BLOCK.  record.inl reads and writes both.
 * momenta.inl and response.inl keep momenta and pushes in N and F; MASS to I_OFF are those of crba.inl. */
#ifndef FB_MODEL_RECORD_H
#define FB_MODEL_RECORD_H

#ifndef FB_BLOCK
#define FB_BLOCK 4
#endif

/*   vector  unit meaning; everything in world axes */
#define FB_RECORD_FIELDS(ROW)                                                        \
  ROW(X, "1", "the link's x axis")                                                   \
  ROW(Y, "1", "its y axis")                                                          \
  ROW(Z, "1", "its z axis, along which joints of one coordinate move it")            \
  ROW(ARM, "m", "from the parent link's origin to the link's")                       \
  ROW(P, "m", "link origin")                                                         \
  ROW(W, "rad/s", "angular velocity of the link")                                    \
  ROW(V, "m/s", "velocity of the link origin")                                       \
  ROW(WDOT, "rad/s^2", "angular acceleration; in dynamics, that by what is known")   \
  ROW(A, "m/s^2", "acceleration of the link origin; in dynamics, also less gravity") \
  ROW(N, "N m", "moment at the link origin: net, then what goes through its joint")  \
  ROW(F, "N", "force, likewise")                                                     \
  ROW(DA_W, "rad/s^2", "angular acceleration by what was unknown")                   \
  ROW(DA_V, "m/s^2", "linear acceleration by what was unknown")                      \
  ROW(MASS, "kg", "of the link and all that it carries; one number")                 \
  ROW(H, "kg m", "its mass times centre of mass from the link origin")               \
  ROW(I_DIAGONAL, "kg m^2", "its inertia about the link origin: xx yy zz")           \
  ROW(I_OFF, "kg m^2", "yz xz xy")

/* The parameters of a link, link axes. */
#define FB_LINK_PARAMETERS(X)                                                            \
  X(PLACE, 9, "1", "axes of its place in the parent link, column after column")          \
  X(SIGN, 3, "1", "of a place that permutes axes (link_from): the sign of each of them") \
  X(AT, 3, "m", "origin of its place, axes of the parent link")                          \
  X(TURN, 1, "rad/rad", "1 or 0: whether a coordinate turns the link about its z axis")  \
  X(SLIDE, 1, "m/rad", "or m/m: how far it moves the link along it")                     \
  X(MASS, 1, "kg", "sum: all bodies merged into the link")                               \
  X(H, 3, "kg m", "sum: mass times centre of mass")                                      \
  X(I, 6, "kg m^2", "sum: about the link's origin, xx yy zz xy xz yz")

#define FB_AS_NUMBER(name, unit, meaning) FB_REC_##name,
enum { FB_RECORD_FIELDS(FB_AS_NUMBER) FB_REC_COUNT };
#undef FB_AS_NUMBER
enum {
  FB_VECTOR = 4,
  FB_VECTOR_WIDE = 3
}; /* numbers a vector takes: of plain doubles; of lanes and complex numbers */
#define FB_AS_OFFSET(name, count, unit, meaning) \
  FB_PAR_##name, FB_PAR_##name##_END = FB_PAR_##name + count - 1,
enum { FB_LINK_PARAMETERS(FB_AS_OFFSET) FB_PAR_SIZE };
#undef FB_AS_OFFSET

/* Numbers of a rigid link: of its articulated body (dynamics/articulated.inl), and of what acts on it from outside. */
enum { FB_BODY_SIZE = 36, FB_EXT_SIZE = 6 };

/* How many links have room in whole blocks. */
static inline int fb_links_in_blocks(int nlink) {
  return (nlink + FB_BLOCK - 1) / FB_BLOCK * FB_BLOCK;
}

/* Where the parameters of a link begin; the next is FB_BLOCK further. */
static inline unsigned fb_link_parameters_at(unsigned link) {
  return link / FB_BLOCK * (FB_BLOCK * FB_PAR_SIZE) + link % FB_BLOCK;
}

#endif
