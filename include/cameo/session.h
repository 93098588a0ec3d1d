#pragma once
// Runs ONNX models on ONNX Runtime. Its shared library is looked for when the first session is made:
//
//   1. SessionOptions::library, if set
//   2. the file that the environment variable CAMEO_ONNXRUNTIME names
//   3. .cache/onnxruntime/libonnxruntime.so.1 in the program's folder or up to five folders above it
//   4. onnxruntime/libonnxruntime.so.1 in $XDG_CACHE_HOME/cameo (~/.cache/cameo)
//   5. libonnxruntime.so.1, then libonnxruntime.so, as the system's loader finds them
//   6. where npm installs onnxruntime-node: node_modules in the program's folder or above it, or below lib/ of the
//      prefixes of 7
//   7. where pip installs onnxruntime: below lib/ of the folder above the program's, $VIRTUAL_ENV, $CONDA_PREFIX,
//      ~/.local, /usr/local and /usr
//
// A library that 1 or 2 names and that cannot be loaded is an Error, as is finding none.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cameo/array.h"
#include "cameo/diagnostic.h"
#include "cameo/value_info.h"

namespace cameo {

// OrtErrorCode.
enum class RuntimeCode : int {
  ok = 0,
  fail = 1,
  invalid_argument = 2,
  no_such_file = 3,
  no_model = 4,
  engine_error = 5,
  runtime_exception = 6,
  invalid_protobuf = 7,
  model_loaded = 8,
  not_implemented = 9,
  invalid_graph = 10,
  ep_fail = 11,
};

// An error of ONNX Runtime. what() is "[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : …", as in its other
// bindings. The diagnostic's code is Code::onnxruntime_invalid_argument, and its hint says what to do if that
// is known.
class SessionError : public Error {
 public:
  SessionError(RuntimeCode code, std::string text);
  RuntimeCode code() const noexcept { return code_; }
  const std::string& text() const noexcept { return text_; }  // the message of ONNX Runtime

 private:
  RuntimeCode code_;
  std::string text_;
};

struct SessionOptions {
  enum class Optimization { none = 0, basic = 1, extended = 2, all = 99 };
  enum class Log { verbose = 0, info = 1, warning = 2, error = 3, fatal = 4 };

  int threads = 0;  // that one operator may use; 0 lets ONNX Runtime choose
  Optimization optimization = Optimization::all;
  Log log = Log::fatal;  // messages that ONNX Runtime itself writes to standard error
  std::string library;   // path of libonnxruntime.so; empty: see above
  // Values inside the model that become outputs too, after its own.
  std::vector<std::string> fetch;
  // A file that the model is written to as ONNX Runtime runs it, optimised; empty: none.
  std::string optimized_model;
};

// A map of ONNX: values.as<…>()[i] belongs to the i-th key. Both have one axis and the same length. Keys are
// integers or strings, and unique.
struct MapValue {
  Array keys;
  Array values;
};

// One input or output of a run: a tensor, a map, a sequence of either, or nothing (an optional without a
// value).
class Datum {
 public:
  Datum() = default;
  Datum(Array tensor) : value_(std::move(tensor)) {}
  Datum(std::vector<Array> sequence) : value_(std::move(sequence)) {}
  Datum(MapValue map) : value_(std::move(map)) {}
  Datum(std::vector<MapValue> maps) : value_(std::move(maps)) {}

  bool has_value() const { return !std::holds_alternative<std::monostate>(value_); }
  bool is_tensor() const { return std::holds_alternative<Array>(value_); }
  bool is_sequence() const { return std::holds_alternative<std::vector<Array>>(value_); }
  bool is_map() const { return std::holds_alternative<MapValue>(value_); }
  bool is_map_sequence() const { return std::holds_alternative<std::vector<MapValue>>(value_); }
  // Throw Error if it is something else.
  const Array& tensor() const;
  const std::vector<Array>& sequence() const;
  const MapValue& map() const;
  const std::vector<MapValue>& map_sequence() const;

 private:
  std::variant<std::monostate, Array, std::vector<Array>, MapValue, std::vector<MapValue>> value_;
};

// A model, ready to run. Copies share it. All functions may be called from several threads at once.
class Session {
 public:
  using Feed = std::pair<std::string, Datum>;

  explicit Session(const std::string& path, const SessionOptions& options = {});
  // `model` is needed only during the call. External data cannot be found from here: give a path for that.
  explicit Session(std::span<const std::byte> model, const SessionOptions& options = {});

  const std::vector<ValueInfo>& inputs() const;
  const std::vector<ValueInfo>& outputs() const;
  const std::string& runtime_version() const;  // "1.30.0"

  // Runs the model and returns `outputs` in the order named, or all of them if none is named. Contents of
  // tensors are not copied: the inputs must not change during the call. The results own their contents.
  std::vector<Datum> run(const std::vector<Feed>& feeds, const std::vector<std::string>& outputs = {}) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace cameo
