#pragma once
// Scales and zero points of weights.

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "model/quantize/grouping.h"

namespace cameo::model {

// An integer type and its use.
struct Integers {
  DType type = DType::i8;  // i8, u8, i4 or u4
  bool symmetric = true;   // the zero point is the middle of the range
  bool search = false;     // choose the scale with the smallest squared error
  bool reduced = false;    // i8 from -64 to 64: sums of two products with u8 fit 16 bits

  int least() const;
  int most() const;
  int middle() const;  // the zero point if symmetric
};

// The errors of a quantised weight.
struct FitErrors {
  double largest = 0, sum = 0, squares = 0;  // of the absolute errors
  double weight_squares = 0;                 // of the elements themselves
  std::int64_t count = 0;

  void add(const FitErrors& other);
};

struct Fit {
  std::vector<float> scales;
  std::vector<std::int16_t> zero_points;  // all of them are the middle if symmetric
  FitErrors errors;
  bool finite = true;  // false if an element is infinite or NaN: there are no scales then
};

// A scale rounded to `type`, in which the model stores it; positive.
float stored_scale(double scale, DType type);

struct GroupFit {
  float scale = 1;
  std::int16_t zero_point = 0;
};
GroupFit fit_range(double least, double most, const Integers& integers, DType stored);

// Reads the weight once.
Fit fit(const onnx::DataPtr& weight, const Grouping& grouping, const Integers& integers);

// Elements as numbers, in pieces.
void each_piece(const onnx::Data& data, const std::function<void(std::span<const float>)>& use);

}  // namespace cameo::model
