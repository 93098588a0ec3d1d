#pragma once
// Ranges of the values of a model, for static quantisation:
//
//   cameo::QuantizeOptions options;
//   options.ranges = cameo::calibrate("model.onnx", "samples.npz");
//   cameo::Model("model.onnx").quantize(options).model.save("small.onnx");

#include <string>
#include <vector>

#include "cameo/model.h"
#include "cameo/verify.h"

namespace cameo {

struct CalibrateOptions {
  enum class Method {
    min_max,     // all elements lie within the range
    percentile,  // the given share of them does
    entropy,     // the range whose integers tell the most about the distribution of the elements
  };
  Method method = Method::min_max;
  double percentile = 99.99;
  std::string library;  // path of libonnxruntime.so; empty: see cameo/session.h
};

// Runs a model in ONNX Runtime on samples, and finds the ranges of the values that static quantisation needs.
//
// `data` is a .npz file, whose arrays have the names of the inputs, or a folder of such files, each a sample.
// A .npy file is a sample of a model with one input. A .pt file holds what torch.save wrote: a list of samples,
// each a tensor, the tensors of all inputs in order, or a dict of tensors by the names of inputs; or one of
// these. Arrays with one axis more than the input hold several samples. Throws Error if there is no sample (Code::no_calibration_data), if one does not fit the model, or if
// a value is not finite (Code::bad_range).
std::vector<ValueRange> calibrate(const std::string& model, const std::string& data,
                                  const CalibrateOptions& options = {});

// Runs two models on the same samples. For each output of the first one, the largest errors of the second one;
// `agrees` and `fault` tell whether types and shapes are equal.
std::vector<VerifiedOutput> compare_on(const std::string& data, const std::string& expected,
                                       const std::string& model, const std::string& library = {});

}  // namespace cameo
