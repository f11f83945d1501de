/* freebody.h -- includes every public header of Freebody: dynamics of robots that float, fly, land and drive. Those of
 * freebody/support/ are for the command and outside the promise of docs/interface.md. */
#ifndef FREEBODY_FREEBODY_H
#define FREEBODY_FREEBODY_H

#include <freebody/block.h>
#include <freebody/collide.h>
#include <freebody/compare.h>
#include <freebody/configuration.h>
#include <freebody/contact.h>
#include <freebody/control.h>
#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/element.h>
#include <freebody/environment.h>
#include <freebody/eval.h>
#include <freebody/floating.h>
#include <freebody/fmu.h>
#include <freebody/inverse_kinematics.h>
#include <freebody/io.h>
#include <freebody/jacobian.h>
#include <freebody/join.h>
#include <freebody/kinematics.h>
#include <freebody/lcp.h>
#include <freebody/loop.h>
#include <freebody/lua.h>
#include <freebody/model.h>
#include <freebody/model_def.h>
#include <freebody/momentum.h>
#include <freebody/parameters.h>
#include <freebody/picture.h>
#include <freebody/plant.h>
#include <freebody/plugin.h>
#include <freebody/remote.h>
#include <freebody/remote_protocol.h>
#include <freebody/response.h>
#include <freebody/rotation.h>
#include <freebody/run.h>
#include <freebody/scenario.h>
#include <freebody/signal.h>
#include <freebody/sim.h>
#include <freebody/spatial.h>
#include <freebody/spline.h>
#include <freebody/status.h>
#include <freebody/store.h>
#include <freebody/sundials.h>
#include <freebody/trim.h>
#include <freebody/version.h>

#endif
