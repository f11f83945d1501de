#!/bin/sh
# Default runs against tight references, by accuracy.py: a sample of robots and scenarios, or all with the argument `all`.
#   accuracy.sh [all]      environment: FB_SOURCE, FB_BUILD
set -eu
compare() {
  PYTHONDONTWRITEBYTECODE=1 python3 "$FB_SOURCE/tests/scenario/accuracy.py" "$FB_BUILD/bin/freebody" "$FB_SOURCE/scenarios" "$@"
}
if [ "${1:-}" = all ]; then
  compare robots 300
  compare scenes
else
  compare robots 14
  compare scenes unbalanced_wheel arm_friction free_arm_torque arm_falls arm_pd_sampled satellite/satellite \
    pendulum_long pendulum_watched gear elastic_stops bungee two_modes square_wave \
    lander_15 lander_38 shaken_518 shaken_468 shaken_448 flail_100 flail_200 flail_281 \
    rotor_25 rotor_31 rotor_40
fi
