#!/bin/sh
# scenarios/four_bar, dual_arm and deploy show what their READMEs say: the four-bar follows Freudenstein's equation, two
# arms hold one payload without changing the momentum, and unfolding turns the energy of the springs into heat and impacts.
#   environment: FB_SOURCE, FB_BUILD
set -eu
. "$(dirname "$0")/judge.sh"

# --- the four-bar: both ways to assemble it, both types of loop, and without its motor
freudenstein='
    {
      a = 0.3; b = 0.9; c = 0.7; d = 1; t = s["q.crank"]; pi = atan2(0, -1)
      K1 = d / a; K2 = d / c; K3 = (a * a - b * b + c * c + d * d) / (2 * a * c)
      A = cos(t) - K1 - K2 * cos(t) + K3; B = -2 * sin(t); C = K1 - (K2 + 1) * cos(t) + K3
      e = 2 * atan2(-B + side * sqrt(B * B - 4 * A * C), 2 * A) - s["q.rocker"] - pi / 2
      most("rocker", size(e - 2 * pi * int(e / (2 * pi) + (e < 0 ? -0.5 : 0.5))))
      most("open", s["loop.pin.error"]); most("residual", size(s["ledger.residual"]) / s["ledger.gross"])
    }
    END { if (top["rocker"] > 1e-9) bad = "rocker"; if (top["open"] > 1e-10) bad = bad " loop"
          if (top["residual"] > 1e-8) bad = bad " energy" }'
wanted=q.crank,q.rocker,loop.pin.error,ledger.residual,ledger.gross
run four_bar four_bar/four_bar
judge four_bar $wanted "BEGIN { side = -1 } $freudenstein"
run revolute four_bar/four_bar \
  --set 'model.loops.pin={name: pin, type: revolute, a: coupler_end, b: rocker_end, axis: [0, 1, 0]}'
judge revolute $wanted "BEGIN { side = -1 } $freudenstein"
run crossed four_bar/four_bar --set 'start.near={coupler: -50 deg, rocker: -150 deg}'
judge crossed $wanted "BEGIN { side = 1 } $freudenstein"
run free four_bar/four_bar --set motions=null --set start.rates.crank=-30rpm --set model.bodies.rocker.joint.damping=0
judge free energy.total '
    { most("energy", size(s["energy.total"] - first["energy.total"])) }
    END { if (top["energy"] > 1e-6) bad = "energy" }'

# --- two arms and one payload; with steps of 5 ms the wrists pass poses in which rows of the loop hardly respond
momentum='
    {
      for (i = 1; i <= NF; i++) {
        if (name[i] ~ /^momentum.linear/) most("linear", size($i) / 13)
        if (name[i] ~ /^momentum.angular/) most("angular", size($i) / 9)
      }
    }
    END { if (top["linear"] > limit || top["angular"] > limit) bad = bad " momentum" }'
held='
    {
      d = 0; turn = 0
      for (i = 1; i <= 3; i++) { k = substr("xyz", i, 1); d += (s["p.payload_grip." k] - s["p.right_hand." k]) ^ 2 }
      for (i = 1; i <= 4; i++) { k = substr("wxyz", i, 1); turn += s["quat.payload_grip." k] * s["quat.right_hand." k] }
      most("apart", sqrt(d)); most("turned", 1 - size(turn)); most("open", s["loop.grasp.error"])
      pressing = s["t"] > 13.95 && s["t"] < 18.05
      f = s["loop.grasp.force.y"]
      if (pressing) most("squeeze", f); else most("otherwise", size(f))
    }
    END { if (top["apart"] > 1e-10 || top["turned"] > 1e-12 || top["open"] > 1e-10) bad = bad " grasp"
          if (top["squeeze"] < 14 || top["squeeze"] > 19 || top["otherwise"] > 1) bad = bad " squeeze" }'
run dual_arm dual_arm/dual_arm
judge dual_arm momentum,p.payload_grip,p.right_hand,quat.payload_grip,quat.right_hand,loop.grasp \
  "BEGIN { limit = 1e-12 } $momentum $held"
run still dual_arm/dual_arm --duration 0.1 2>"$out/still.txt" # nothing moves yet: no ledger is to be warned of
test ! -s "$out/still.txt"
run coarse dual_arm/dual_arm --set integrator.step=5ms
judge coarse momentum.angular.x,momentum.angular.y "BEGIN { limit = 1e-12 } $momentum"

# --- the wings: straight at the end, without momentum, and what the springs gave was dissipated or lost at the latches
unfolded='
    function given(k, from, rest) { return k * ((from - rest) ^ 2 - rest ^ 2) / 2 } # by a spring, from there to zero
    { for (i = 1; i <= NF; i++) if (name[i] ~ /^momentum/) most("momentum", size($i) / 25) }
    END {
      deg = atan2(0, -1) / 180
      wing = given(0.7, 90 * deg, -30 * deg) + given(0.3, -180 * deg, 40 * deg) + given(0.15, 180 * deg, -40 * deg)
      springs = 2 * wing
      lost = s["ledger.dissipated"] - s["ledger.impacts"]
      most("energy", size(springs - lost) / springs)
      for (i = 1; i <= NF; i++) if (name[i] ~ /^q[.](left|right)/) most("hinges", size($i))
      if (top["hinges"] > 1e-9) bad = "hinges"
      if (top["momentum"] > 1e-9) bad = bad " momentum"
      if (top["energy"] > 1e-8 || s["ledger.impacts"] > -1 || s["energy.kinetic"] > 1e-12) bad = bad " energy"
    }'
wanted=q.left*,q.right*,momentum,energy.kinetic,ledger.dissipated,ledger.impacts
run deploy deploy/deploy
judge deploy "$wanted" "$unfolded"
run cables deploy/deploy_cables
judge cables "$wanted" "$unfolded"
