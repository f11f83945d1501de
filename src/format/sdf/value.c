/* value.c -- what is written in an element of SDF: texts, numbers, truth, poses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/support/text.h>

#include "format/sdf/reader.h"
#include "text/number.h"

const char* fb_sdf_text(const fb_sdf_reader* r, int element, const char* child) {
  int e = fb_xml_child(r->xml, element, child);
  if (e == FB_XML_NONE) return NULL;
  const char* text = fb_xml_text(r->xml, e);
  while (*text == ' ' || *text == '\n' || *text == '\t' || *text == '\r') text++;
  return text;
}

int fb_sdf_word(const fb_sdf_reader* r, int element, const char* child, char word[1000]) {
  const char* text = fb_sdf_text(r, element, child);
  snprintf(word, 1000, "%s", text ? text : "");
  for (size_t n = strlen(word); n > 0 && strchr(" \n\t\r", word[n - 1]); n--) word[n - 1] = '\0';
  return word[0] != '\0';
}

/* `count` numbers in the text of an element, and no more than those. */
static int parse(const char* text, int count, double* out) {
  for (int i = 0; i < count; i++) {
    while (*text && strchr(" \n\t\r", *text)) text++;
    text = fb_number_parse(text, &out[i]);
    if (!text || !(out[i] >= -1e300 && out[i] <= 1e300)) return 0;
  }
  while (*text && strchr(" \n\t\r", *text)) text++;
  return !*text;
}

fb_status fb_sdf_numbers(const fb_sdf_reader* r, int element, const char* child, int count, double* out,
                         int* found) {
  const char* text = fb_sdf_text(r, element, child);
  double x[7];
  if (found) *found = text && *text;
  if (!text || !*text) return FB_OK;
  if (!parse(text, count, x))
    return fb_xml_fail(r->xml, fb_xml_child(r->xml, element, child), r->error, FB_ERR_CONTENT,
                       "<%s> needs %d number%s, but has \"%.80s\"", child, count, count == 1 ? "" : "s",
                       text);
  memcpy(out, x, (size_t)count * sizeof *x);
  return FB_OK;
}

fb_status fb_sdf_limit(const fb_sdf_reader* r, int element, const char* child, double* out) {
  const char *text = fb_sdf_text(r, element, child), *end;
  char word[40];
  double x;
  if (!text || !*text) return FB_OK;
  snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " \n\t\r"), text);
  if (fb_number_is_not_finite(word)) {
    if (!strpbrk(word, "aA")) *out = word[0] == '-' ? -INFINITY : INFINITY; /* not a number: none */
    return FB_OK;
  }
  end = fb_number_parse(text, &x);
  if (!end || end[strspn(end, " \n\t\r")])
    return fb_xml_fail(r->xml, fb_xml_child(r->xml, element, child), r->error, FB_ERR_CONTENT,
                       "<%s> needs 1 number, but has \"%.80s\"", child, text);
  *out = x;
  return FB_OK;
}

int fb_sdf_is_true(const fb_sdf_reader* r, int element, const char* child) {
  const char *text = fb_sdf_text(r, element, child), *word = "true";
  size_t same = 0;
  if (!text) return 0;
  while (word[same] && (text[same] | 0x20) == word[same]) same++;
  return !word[same] || (*text == '1' && !text[1 + strspn(text + 1, " \n\t\r")]);
}

fb_status fb_sdf_pose(const fb_sdf_reader* r, int element, fb_pose* pose, const char** relative_to) {
  double x[7] = {0};
  int e = fb_xml_child(r->xml, element, "pose"), found = 0;
  *pose = fb_pose_identity();
  *relative_to = NULL;
  if (e == FB_XML_NONE) return FB_OK;
  const char *degrees = fb_xml_attribute(r->xml, e, "degrees"),
             *format = fb_xml_attribute(r->xml, e, "rotation_format");
  int quat = format && strcmp(format, "quat_xyzw") == 0;
  *relative_to = fb_xml_attribute(r->xml, e, "relative_to");
  if (!*relative_to) *relative_to = fb_xml_attribute(r->xml, e, "frame"); /* before 1.7 */
  if (*relative_to && !**relative_to) *relative_to = NULL;
  fb_status status = fb_sdf_numbers(r, element, "pose", quat ? 7 : 6, x, &found);
  if (status || !found) return status;
  memcpy(pose->p, x, sizeof pose->p);
  if (quat) {
    double q[4] = {x[6], x[3], x[4], x[5]};
    fb_quat_normalise(q);
    fb_rot_from_quat(q, pose->R);
    return FB_OK;
  }
  double by = degrees && strcmp(degrees, "true") == 0 ? 0.017453292519943295 : 1;
  double rpy[3] = {by * x[3], by * x[4], by * x[5]};
  fb_rot_from_rpy(rpy, pose->R);
  return FB_OK;
}
