/* instance.inl -- gathers every kernel for one fb_real and one ISA level into one fb_kernels table.
 *
 * Included by instance_*.c, which say what fb_real is; FB_ISA names the level. This is the one place
 * of the kernel room that looks down into the rooms of the algorithms. */
#include "dynamics/aba.inl"
#include "dynamics/crba.inl"
#include "dynamics/energy.inl"
#include "dynamics/loads.inl"
#include "dynamics/momenta.inl"
#include "dynamics/passive.inl"
#include "dynamics/path.inl"
#include "dynamics/response.inl"
#include "dynamics/rnea.inl"
#include "dynamics/trees.inl"
#include "kernel/instances.h"
#include "kinematics/frame.inl"
#include "kinematics/jacobian.inl"
#include "kinematics/kinematics.inl"
#include "model/integrate.inl"

#ifndef FB_ISA
#define FB_ISA plain
#endif

#define FB_PASTE(type, isa) fb_kernels_##type##_##isa
#define FB_TABLE(type, isa) FB_PASTE(type, isa)
#define FB_TEXT_OF(name) #name
#define FB_TEXT(name) FB_TEXT_OF(name)

extern const fb_kernels FB_TABLE(FB_TYPE, FB_ISA);
const fb_kernels FB_TABLE(FB_TYPE, FB_ISA) = {
    FB_TEXT(FB_ISA),
    FB_TEXT(FB_TYPE),
    FB_WIDTH,
    FB_PAR_WIDTH,
    fb_k_kinematics,
    fb_k_frame_pose,
    fb_k_frame_velocity,
    fb_k_frame_acceleration,
    fb_k_frame_jacobian,
    fb_k_frame_jacobian_rate,
    fb_k_frame_bias,
    fb_k_frame_push,
    fb_k_outward_in,
    fb_k_site_wrench,
    fb_k_body_field,
    fb_k_rnea,
    fb_k_crba,
    fb_k_aba,
    fb_k_mixed,
    fb_k_response,
    fb_k_path,
    fb_k_momenta,
    fb_k_passive,
    fb_k_kinetic_energy,
    fb_k_spring_energy,
    fb_k_gravity_energy,
    fb_k_trees,
    fb_k_integrate,
};
