#pragma once
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "cameo/export.h"

namespace cameo {

// Reports the beginning of each stage of an export, and records how long each stage took.
class Stopwatch {
 public:
  Stopwatch(const ExportOptions& options, ExportReport& report) : options_(options), report_(report) {}

  void begin(std::string stage, std::string_view doing) {
    end();
    stage_ = std::move(stage);
    if (options_.progress) options_.progress(doing);
  }
  void end() {
    const Clock::time_point now = Clock::now();
    if (!stage_.empty()) report_.timings.emplace_back(std::move(stage_), seconds(last_, now));
    stage_.clear();
    last_ = now;
    report_.seconds = seconds(first_, now);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  const ExportOptions& options_;
  ExportReport& report_;
  std::string stage_;
  Clock::time_point first_ = Clock::now(), last_ = first_;
};

}  // namespace cameo
