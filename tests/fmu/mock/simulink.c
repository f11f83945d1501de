/* simulink.c -- a stand-in for what Simulink puts at the end of an S-function: here a program that runs it
 *
 *   PROGRAM FOLDER SAMPLE_TIME STEPS [START]
 *
 * prints a line of outputs for each sample, with every input i at 2 sin(t + i), "error: ..." when the S-function says so, and
 * "stopped" when it asks for the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int over(SimStruct* S) {
  if (!S->error) return 0;
  printf("error: %s\n", S->error);
  return 1;
}

static void print_outputs(const SimStruct* S) {
  for (int i = 0; i < S->noutput; i++)
    for (int k = 0; k < S->output_width[i]; k++) printf("%.17g ", S->output[i][k]);
  printf("\n");
}

static int step(SimStruct* S, int n) {
  S->t = n * S->sample_time;
  mdlOutputs(S, 0);
  if (over(S)) return 0;
  print_outputs(S);
  for (int i = 0; i < S->ninput; i++)
    for (int k = 0; k < S->input_width[i]; k++) S->input[i][k] = k == 0 ? 2 * sin(S->t + i) : 0;
  mdlUpdate(S, 0);
  if (S->stop) printf("stopped\n");
  return !over(S) && !S->stop;
}

int main(int argc, char** argv) {
  static SimStruct S;
  if (argc < 4) return 2;
  S.parameters_given = 2;
  S.parameters[0].text = argv[1];
  S.parameters[1].number = atof(argv[2]);
  S.start = argc > 4 ? atof(argv[4]) : 0;
  mdlInitializeSizes(&S);
  if (over(&S)) return 1;
  if (S.nwork != 1 || S.sample_times != 1 || S.states != 0) return 3;
  for (int i = 0; i < S.ninput; i++)
    if (!S.contiguous[i] || S.feedthrough[i] || S.input_width[i] < 1) return 3;
  mdlInitializeSampleTimes(&S);
  mdlStart(&S);
  int steps = over(&S) ? 0 : atoi(argv[3]);
  for (int n = 0; n < steps && step(&S, n); n++) {
  }
  mdlTerminate(&S);
  mdlTerminate(&S); /* Simulink calls it after an error, too */
  return S.error != NULL;
}
