#include <algorithm>
#include <numeric>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

struct Cuts {
  Ints starts, ends, axes, steps;
};

std::optional<Cuts> cuts_of(const onnx::Node& slice) {
  const auto starts = integers(slice, 1, "starts"), ends = integers(slice, 2, "ends");
  if (!starts || !ends || starts->size() != ends->size()) return std::nullopt;
  Cuts cuts{*starts, *ends, Ints(starts->size()), Ints(starts->size(), 1)};
  std::iota(cuts.axes.begin(), cuts.axes.end(), 0);
  if (input(slice, 3) || slice.attribute("axes")) {
    const auto axes = from_front(integers(slice, 3, "axes"), slice.inputs[0]);
    if (!axes || axes->size() != starts->size()) return std::nullopt;
    cuts.axes = *axes;
  }
  if (input(slice, 4)) {
    const auto steps = integers(input(slice, 4));
    if (!steps || steps->size() != starts->size()) return std::nullopt;
    cuts.steps = *steps;
  }
  return cuts;
}

void append(Ints& to, const Ints& from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

bool merge_slices(Patch& patch, onnx::Node& last) {
  const onnx::Node* first = made_by(last.inputs[0], {"Slice"});
  if (!patch.require(first, "its input is not the result of a Slice") ||
      !patch.require(patch.read_once(last.inputs[0]), "another node reads the result of the first Slice"))
    return false;
  auto cuts = cuts_of(*first);
  const auto more = cuts_of(last);
  if (!patch.require(cuts && more, "the bounds of a Slice are not constants") ||
      !patch.require(std::ranges::find_first_of(cuts->axes, more->axes) == cuts->axes.end(),
                     "both slice the same axis"))
    return false;
  append(cuts->starts, more->starts);
  append(cuts->ends, more->ends);
  append(cuts->axes, more->axes);
  append(cuts->steps, more->steps);
  if (!input(last, 1)) {
    patch.set_attribute(last, "starts", cuts->starts);
    patch.set_attribute(last, "ends", cuts->ends);
    patch.set_attribute(last, "axes", cuts->axes);
    patch.set_input(last, 0, first->inputs[0]);
    return true;
  }
  std::vector<onnx::Value*> inputs{first->inputs[0]};
  for (const Ints* part : {&cuts->starts, &cuts->ends, &cuts->axes})
    inputs.push_back(patch.constant(data_of(*part)));
  if (std::ranges::any_of(cuts->steps, [](std::int64_t step) { return step != 1; }))
    inputs.push_back(patch.constant(data_of(cuts->steps)));
  patch.set_inputs(last, std::move(inputs));
  return true;
}

}  // namespace cameo::rules
