#include "cameo/calibrate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/core.h>

#include "base/text.h"
#include "calibrate/histogram.h"
#include "calibrate/samples.h"
#include "model/quantize/activations.h"
#include "verify/compare.h"

namespace cameo {
namespace calibration {
namespace {

constexpr std::size_t kParts = 2048;

// Runs a model with the results of inner values.
class Watched {
 public:
  Watched(const std::string& model, const CalibrateOptions& options)
      : names_(model::values_to_calibrate(model::Opened(model))), session_(open(model, options)) {}

  const std::vector<std::string>& names() const { return names_; }

  // Calls use(index of the value, its elements) for each value of each sample.
  void run(const std::string& data,
           const std::function<void(std::size_t, std::span<const float>)>& use) const {
    each_sample(data, session_.inputs(), [&](const std::vector<Session::Feed>& feeds) {
      for (const auto& [place, name] : inputs_)
        use(place, std::ranges::find(feeds, name, &Session::Feed::first)->second.tensor().as<float>());
      const std::vector<Datum> results = session_.run(feeds, fetched_);
      for (std::size_t i = 0; i < fetched_.size(); ++i) use(places_[i], results[i].tensor().as<float>());
    });
  }

 private:
  Session open(const std::string& model, const CalibrateOptions& options) {
    SessionOptions session{.optimization = SessionOptions::Optimization::none, .library = options.library};
    const ModelIo io = Model(model).io();
    const auto has = [](const std::vector<ValueInfo>& list, const std::string& name) {
      return std::ranges::find(list, name, &ValueInfo::name) != list.end();
    };
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (has(io.inputs, names_[i])) {
        inputs_.emplace_back(i, names_[i]);
        continue;
      }
      fetched_.push_back(names_[i]);
      places_.push_back(i);
      if (!has(io.outputs, names_[i])) session.fetch.push_back(names_[i]);
    }
    return Session(model, session);
  }

  std::vector<std::string> names_, fetched_;
  std::vector<std::size_t> places_;                          // of the fetched values among the names
  std::vector<std::pair<std::size_t, std::string>> inputs_;  // of the model, which a run does not return
  Session session_;
};

std::vector<ValueRange> extremes(const Watched& model, const std::string& data) {
  std::vector<ValueRange> ranges;
  for (const std::string& name : model.names())
    ranges.push_back({.value = name, .least = HUGE_VAL, .most = -HUGE_VAL});
  model.run(data, [&](std::size_t i, std::span<const float> elements) {
    for (const float element : elements) {
      if (!std::isfinite(element))
        throw Error(Diagnostic{.code = Code::bad_range,
                               .message = fmt::format("the value '{}' has an element that is not finite",
                                                      printable(ranges[i].value)),
                               .file = data,
                               .hint = "look for NaN and infinities in the calibration data"});
      ranges[i].least = std::min(ranges[i].least, static_cast<double>(element));
      ranges[i].most = std::max(ranges[i].most, static_cast<double>(element));
    }
  });
  std::erase_if(ranges, [](const ValueRange& range) { return range.least > range.most; });
  return ranges;
}

std::vector<float> magnitudes(std::span<const float> elements) {
  std::vector<float> result;
  for (const float element : elements) result.push_back(std::abs(element));
  return result;
}

}  // namespace
}  // namespace calibration

std::vector<ValueRange> calibrate(const std::string& model, const std::string& data,
                                  const CalibrateOptions& options) {
  using Method = CalibrateOptions::Method;
  const calibration::Watched watched(model, options);
  std::vector<ValueRange> ranges = calibration::extremes(watched, data);
  if (options.method == Method::min_max) return ranges;
  const bool entropy = options.method == Method::entropy;
  std::vector<calibration::Histogram> histograms;
  for (const std::string& name : watched.names()) {
    const auto found = std::ranges::find(ranges, name, &ValueRange::value);
    const ValueRange range = found == ranges.end() ? ValueRange{} : *found;
    histograms.emplace_back(entropy ? 0 : range.least,
                            entropy ? std::max(-range.least, range.most) : range.most, calibration::kParts);
  }
  watched.run(data, [&](std::size_t i, std::span<const float> elements) {
    if (entropy)
      histograms[i].add(calibration::magnitudes(elements));
    else
      histograms[i].add(elements);
  });
  for (ValueRange& range : ranges) {
    const auto place =
        static_cast<std::size_t>(std::ranges::find(watched.names(), range.value) - watched.names().begin());
    if (entropy) {
      const double limit = histograms[place].limit();
      range.least = std::max(range.least, -limit);
      range.most = std::min(range.most, limit);
    } else {
      const calibration::Histogram::Range found = histograms[place].within(options.percentile);
      range.least = found.least;
      range.most = found.most;
    }
  }
  return ranges;
}

std::vector<VerifiedOutput> compare_on(const std::string& data, const std::string& expected,
                                       const std::string& model, const std::string& library) {
  const SessionOptions options{.library = library};
  const Session first(expected, options), second(model, options);
  std::vector<VerifiedOutput> worst;
  calibration::each_sample(data, first.inputs(), [&](const std::vector<Session::Feed>& feeds) {
    const std::vector<Datum> wanted = first.run(feeds);
    std::vector<Array> arrays;
    for (const Datum& datum : wanted) {
      if (datum.is_tensor()) arrays.push_back(datum.tensor());
      if (datum.is_sequence()) arrays.insert(arrays.end(), datum.sequence().begin(), datum.sequence().end());
    }
    const std::vector<VerifiedOutput> found =
        verify::compare(arrays, second.outputs(), second.run(feeds), std::numeric_limits<double>::infinity());
    if (worst.empty()) worst = found;
    for (std::size_t i = 0; i < std::min(worst.size(), found.size()); ++i)
      if (!found[i].fault.empty() || found[i].relative > worst[i].relative) worst[i] = found[i];
  });
  return worst;
}

}  // namespace cameo
