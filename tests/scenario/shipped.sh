# shipped.sh -- what the checks of shipped scenarios share; they source it.
#   run_shipped NAME [OPTION...]    runs scenarios/NAME/NAME.yaml, or scenarios/NAME.yaml where NAME is FOLDER/FILE; the
#                                   folder of the run is then in $run
#   environment: FB_SOURCE, FB_BUILD
LC_ALL=C
export LC_ALL
run_shipped() {
  case $1 in */*) file=$1 ;; *) file=$1/$1 ;; esac
  run=$FB_BUILD/${1##*/}.run
  shift
  rm -rf "$run"
  "$FB_BUILD/bin/freebody" run "$FB_SOURCE/scenarios/$file.yaml" -o "$run" --quiet "$@"
}
