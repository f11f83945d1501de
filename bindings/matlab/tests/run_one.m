% The tests as a script: octave-cli run_one.m TOOLBOX DATA NAME
args = argv();
addpath(fileparts(mfilename('fullpath')));
run_test(args{1}, args{2}, args{3});
