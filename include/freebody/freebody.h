/* freebody.h -- includes every public header of Freebody: dynamics of robots that float, fly, land and drive. */
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
#include <freebody/files.h>
#include <freebody/floating.h>
#include <freebody/inverse_kinematics.h>
#include <freebody/io.h>
#include <freebody/jacobian.h>
#include <freebody/join.h>
#include <freebody/json.h>
#include <freebody/kinematics.h>
#include <freebody/loop.h>
#include <freebody/lua.h>
#include <freebody/model.h>
#include <freebody/model_def.h>
#include <freebody/momentum.h>
#include <freebody/parameters.h>
#include <freebody/picture.h>
#include <freebody/plugin.h>
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
#include <freebody/text.h>
#include <freebody/trim.h>
#include <freebody/version.h>
#include <freebody/words.h>

#endif
