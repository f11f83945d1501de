# shipped.sh -- what the checks of shipped scenarios share; they source it.
#   run_shipped NAME    runs scenarios/NAME/NAME.yaml; the folder of the run is then in $run
#   environment: FB_SOURCE, FB_BUILD
LC_ALL=C
export LC_ALL
run_shipped() {
  run=$FB_BUILD/$1.run
  rm -rf "$run"
  "$FB_BUILD/bin/freebody" run "$FB_SOURCE/scenarios/$1/$1.yaml" -o "$run" --quiet
}
