#pragma once
// Reads the fields of messages. Each message has a function
//   bool field(Reader&, M& out, protozero::pbf_reader& in)
// that takes the field `in` stands at, or returns false without having touched it.

#include <concepts>
#include <string>

#include <protozero/pbf_reader.hpp>

#include "onnx/proto/messages.h"

namespace cameo::onnx::proto {

using protozero::pbf_reader;

// Number and wire type of a field, as pbf_reader::tag_and_type() gives them.
constexpr std::uint32_t varint(std::uint32_t number) { return number << 3U; }
constexpr std::uint32_t chunk(std::uint32_t number) { return number << 3U | 2U; }
constexpr std::uint32_t four_bytes(std::uint32_t number) { return number << 3U | 5U; }
constexpr std::uint32_t eight_bytes(std::uint32_t number) { return number << 3U | 1U; }

inline Text text(pbf_reader& in) {
  const protozero::data_view view = in.get_view();
  return {view.data(), view.size()};
}
inline Bytes bytes(pbf_reader& in) { return std::as_bytes(std::span(text(in))); }

// An element that stands alone, and a run of packed ones. Throw protozero::exception if a number is cut off.
enum class Width : std::uint8_t { varint, four, eight };
void add_one(Numbers& to, pbf_reader& in);
void add_packed(Numbers& to, pbf_reader& in, Width width);

class Reader {
 public:
  Reader(Bytes bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  template <class Take>
  void each(const char* name, Bytes message, Unknown& unknown, Take take);
  template <class M>
  void read(M& out, Bytes message);

  template <class M>
  void read(std::optional<M>& out, pbf_reader& in) {
    read(out ? *out : out.emplace(), bytes(in));
  }
  template <class M>
  void read(std::unique_ptr<M>& out, pbf_reader& in) {
    if (!out) out = std::make_unique<M>();
    read(*out, bytes(in));
  }
  template <class M>
  void read(std::vector<M>& out, pbf_reader& in) {
    read(out.emplace_back(), bytes(in));
  }

 private:
  struct Level {
    explicit Level(int& depth) : depth_(depth) { ++depth_; }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    int& depth_;
  };
  [[noreturn]] void too_deep(const char* at) const;
  [[noreturn]] void broken(const char* message, const char* what, const char* at) const;

  static constexpr int kDeepest = 100;
  Bytes bytes_;
  const std::string& file_;
  int depth_ = 0;
};

bool field(Reader& r, Model& out, pbf_reader& in);
bool field(Reader& r, Function& out, pbf_reader& in);
bool field(Reader& r, TrainingInfo& out, pbf_reader& in);
bool field(Reader& r, OpsetImport& out, pbf_reader& in);
bool field(Reader& r, Entry& out, pbf_reader& in);
bool field(Reader& r, Graph& out, pbf_reader& in);
bool field(Reader& r, Annotation& out, pbf_reader& in);
bool field(Reader& r, Node& out, pbf_reader& in);
bool field(Reader& r, Attribute& out, pbf_reader& in);
bool field(Reader& r, Tensor& out, pbf_reader& in);
bool field(Reader& r, SparseTensor& out, pbf_reader& in);
bool field(Reader& r, ValueInfo& out, pbf_reader& in);
bool field(Reader& r, Type& out, pbf_reader& in);
bool field(Reader& r, Shape& out, pbf_reader& in);
bool field(Reader& r, Dimension& out, pbf_reader& in);

// Reads each field of `message` by `take(in)`, and keeps what it does not take.
template <class Take>
void Reader::each(const char* name, Bytes message, Unknown& unknown, Take take) {
  const Level level(depth_);
  pbf_reader in(reinterpret_cast<const char*>(message.data()), message.size());
  const char* begin = in.data().data();
  if (depth_ > kDeepest) too_deep(begin);
  try {
    while (in.next()) {
      if (!take(in)) {
        in.skip();
        unknown.push_back(std::as_bytes(std::span(begin, in.data().data())));
      }
      begin = in.data().data();
    }
  } catch (const protozero::exception& error) {
    broken(name, error.what(), begin);
  }
}

template <class M>
void Reader::read(M& out, Bytes message) {
  each(M::kMessage, message, out.unknown, [&](pbf_reader& in) { return field(*this, out, in); });
}

}  // namespace cameo::onnx::proto
