// SPDX-License-Identifier: Apache-2.0
#include "base/time_text.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace kingpost {

namespace {

// Names as the formats have them, whatever the language of the user.
constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

int64_t MsOf(tm* utc) { return static_cast<int64_t>(timegm(utc)) * 1000; }

tm UtcOf(int64_t ms) {
  const time_t seconds = ms / 1000;
  tm utc{};
  gmtime_r(&seconds, &utc);
  return utc;
}

std::string FormatTime(int64_t ms, const char* format) {
  const tm utc = UtcOf(ms);
  char text[64];
  return std::string(text, std::strftime(text, sizeof text, format, &utc));
}

// The part after the seconds: a fraction, and then Z or +02:00. Adds to `ms`; false if it is neither.
bool ReadIsoTail(const char* tail, int64_t* ms) {
  if (*tail == '.') {
    int64_t scale = 100;
    for (++tail; *tail >= '0' && *tail <= '9'; ++tail, scale /= 10) *ms += (*tail - '0') * scale;
  }
  if (std::strcmp(tail, "Z") == 0) return true;
  int hours = 0, minutes = 0;
  if ((*tail != '+' && *tail != '-') || std::sscanf(tail + 1, "%2d:%2d", &hours, &minutes) != 2) return false;
  *ms -= (*tail == '+' ? 1 : -1) * (hours * 60 + minutes) * int64_t{60'000};
  return true;
}

}  // namespace

int64_t ParseHttpDate(const std::string& text) {
  tm utc{};
  char month[4] = {};
  const int read = std::sscanf(text.c_str(), "%*3s, %2d %3s %4d %2d:%2d:%2d GMT", &utc.tm_mday, month, &utc.tm_year,
                               &utc.tm_hour, &utc.tm_min, &utc.tm_sec);
  if (read != 6) return -1;
  for (size_t i = 0; i < kMonths.size(); ++i) {
    if (std::strcmp(month, kMonths[i]) != 0) continue;
    utc.tm_mon = static_cast<int>(i);
    utc.tm_year -= 1900;
    return MsOf(&utc);
  }
  return -1;
}

int64_t ParseIsoTime(const std::string& text) {
  tm utc{};
  int used = 0;
  const int read = std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%n", &utc.tm_year, &utc.tm_mon, &utc.tm_mday,
                               &utc.tm_hour, &utc.tm_min, &utc.tm_sec, &used);
  if (read != 6) return -1;
  utc.tm_year -= 1900;
  utc.tm_mon -= 1;
  int64_t ms = MsOf(&utc);
  return ReadIsoTail(text.c_str() + used, &ms) ? ms : -1;
}

std::string FormatHttpDate(int64_t ms) {
  const tm utc = UtcOf(ms);
  char text[64];
  std::snprintf(text, sizeof text, "%s, %02d %s %04d %02d:%02d:%02d GMT", kDays[static_cast<size_t>(utc.tm_wday)],
                utc.tm_mday, kMonths[static_cast<size_t>(utc.tm_mon)], utc.tm_year + 1900, utc.tm_hour, utc.tm_min,
                utc.tm_sec);
  return text;
}

std::string FormatIsoTime(int64_t ms) { return FormatTime(ms, "%Y-%m-%dT%H:%M:%SZ"); }
std::string FormatBasicTime(int64_t ms) { return FormatTime(ms, "%Y%m%dT%H%M%SZ"); }

}  // namespace kingpost
