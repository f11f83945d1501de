/* sample.c -- `sample` of a control law: rate, delay and noise. */
#include "scenario/build/block.h"
#include "scenario/rows.h"

typedef struct fb_sample_row {
  double rate, period, delay;
  int seed;
} fb_sample_row;

static const fb_field FIELDS[] = {
    UNIT(SAMPLE, "rate", NUMBER, FREQUENCY, POSITIVE, EVERY, NEVER, AT(fb_sample_row, rate),
         "this or `period` is required",
         "sampling rate: the law reads the state, and its output is held until the next sample"),
    UNIT(SAMPLE, "period", NUMBER, TIME, POSITIVE, EVERY, NEVER, AT(fb_sample_row, period),
         "this or `rate` is required", "or the time between samples"),
    UNIT(SAMPLE, "delay", NUMBER, TIME, NOT_NEGATIVE, EVERY, NEVER, AT(fb_sample_row, delay), "0",
         "time from a sample until its output acts, at most 100 periods"),
    INNER(SAMPLE, "noise", MAP, NOISE, "none", "measurement noise"),
    PLAIN(SAMPLE, "seed", INDEX, EVERY, NEVER, AT(fb_sample_row, seed), "0",
          "the same seed gives the same noise"),

    UNIT(NOISE, "position", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_sampling, noise_q), "0",
         "standard deviation of Gaussian noise on coordinates, in rad or m"),
    UNIT(NOISE, "rate", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_sampling, noise_v), "0",
         "the same on rates, in rad/s or m/s"),
};

const fb_schema_rows fb_rows_sample = FB_ROWS(FIELDS);

static fb_status read_noise(const fb_node* map, fb_sampling* sampling, fb_error* error) {
  fb_fields values;
  return map ? fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_NOISE, &values, sampling, error) : FB_OK;
}

/* The period, from one of `rate` and `period`. */
static fb_status read_period(const fb_fields* values, const fb_sample_row* row, double* period,
                             fb_error* error) {
  const fb_node *rate = fb_fields_value(values, "rate"), *time = fb_fields_value(values, "period");
  if (rate && time)
    return fb_node_fail(time, error, FB_ERR_CONTENT,
                        "'rate' and 'period' both say how often it is sampled; keep one of them");
  if (!rate && !time)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "a sample needs 'rate', as 100 Hz, or 'period', as 10 ms");
  *period = rate ? 1 / row->rate : row->period;
  return FB_OK;
}

fb_status fb_scenario_check_period(const fb_scenario* s, const fb_node* node, double period,
                                   fb_error* error) {
  if (period == 0 || period > 1e-9 * s->duration) return FB_OK;
  return fb_node_fail(node, error, FB_ERR_CONTENT,
                      "a sample every %g s over %g s gives more than 1e9 samples; choose a longer time",
                      period, s->duration);
}

fb_status fb_scenario_read_sample(const fb_scenario* s, const fb_node* map, fb_scenario_block* block,
                                  fb_error* error) {
  enum { MOST_PERIODS = 100 };
  fb_fields values;
  fb_sample_row row = {0, 0, 0, 0};
  fb_sampling* out = &block->sampling;
  *out = fb_default_sampling();
  if (!map) return FB_OK;
  block->sampled = 1;
  fb_status status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_SAMPLE, &values, &row, error);
  if (!status) status = read_period(&values, &row, &out->period, error);
  if (!status) status = fb_scenario_check_period(s, map, out->period, error);
  if (!status) status = read_noise(fb_fields_value(&values, "noise"), out, error);
  if (status) return status;
  out->delay = row.delay;
  out->seed = (unsigned long long)row.seed;
  if (out->delay <= MOST_PERIODS * out->period * (1 + 1e-9)) return FB_OK;
  return fb_node_fail(fb_fields_value(&values, "delay"), error, FB_ERR_CONTENT,
                      "a delay of %g s is more than %d periods of %g s; choose a shorter one", out->delay,
                      (int)MOST_PERIODS, out->period);
}
