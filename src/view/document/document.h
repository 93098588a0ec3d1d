#pragma once
// All that a view shows. web/src/document.ts describes each table and column; the names here are the same.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "view/document/strings.h"

namespace cameo::view {

using Refs = std::vector<int>;
using Counts = std::vector<std::int64_t>;
// NaN where there is no number.
using Numbers = std::vector<double>;

struct Lists {
  Refs start = {0}, items;
  void close() { start.push_back(static_cast<int>(items.size())); }
  template <class Range>
  void add(const Range& row) {
    items.insert(items.end(), row.begin(), row.end());
    close();
  }
};

enum class GroupKind : std::uint8_t { root, module, scope, part, control, body };
enum class ItemKind : std::uint8_t { node, group, input, output };
enum class ValueKind : std::uint8_t { computed, input, output, constant };
enum class WeightState : std::uint8_t { read, skipped, no_numbers, missing };
enum class Mark : std::uint8_t { same, added, gone, changed, renamed };
inline constexpr std::size_t kMarks = 5;

struct FileInfo {
  std::string name, kind;
  std::int64_t bytes = 0;
};
struct Fact {
  std::string name, text;
};

struct Groups {
  Refs parent;
  std::vector<GroupKind> kind;
  Refs path, name, type, node, equal, nodes;
  Counts parameters, bytes;
  Refs multiply_adds;
  Refs width, height;
  Refs items = {0}, edges = {0}, ranks = {0};
  Refs rank_top, rank_height;
};

struct Items {
  std::vector<ItemKind> kind;
  Refs ref, rank, x, w, h, title, caption;
};

struct Edges {
  Refs from, to, x0, x1, stub;
  Lists via;
  Refs lines = {0};
  Refs value, from_port, to_port;
};

struct Operators {
  Refs domain, name, category, link, doc;
  Lists inputs, outputs;
};

struct Nodes {
  Refs op, name, module, group, item, bodies;
  Lists attributes, inputs, outputs;
  Refs origin;
};

struct Values {
  Refs name, type;
  std::vector<ValueKind> kind;
  Refs producer, weight;
};

struct Weights {
  Refs value, type;
  Counts elements, bytes;
  Refs place, text;
  std::vector<WeightState> state;
  Numbers min, max, mean, deviation, zeros, nans;
  Lists histogram;
  Refs picture_width, picture_height, picture_data;
};

struct SourceFile {
  std::string name, kind;
  int first = 1;
  Refs lines;
};
struct Sources {
  std::vector<SourceFile> files;
  Refs file, line, node, level;
  Refs empty_file, empty_line, empty_reason;
};

struct Overlay {
  std::string id, name, unit, scale, good, combine;
  std::optional<double> limit;
  Numbers node;
  Refs node_text;
  // Filled by close_overlay().
  double least = 0, most = 0;
  Numbers group_sum, group_max;
};

struct Comparison {
  std::string older, newer;
  std::vector<Mark> node;
  Refs node_text, node_rule;
  std::vector<Mark> weight;
  Refs weight_text;
  Lists group;
  Refs notes;
};

struct Messages {
  std::vector<std::string> severity;
  Refs code, text, hint, node, file, line;
};

inline constexpr int kFrameHeader = 26, kFramePadding = 16;

struct Document {
  std::string title, producer, made;
  std::vector<FileInfo> files;
  std::vector<Fact> facts;
  Strings strings;
  Groups groups;
  Items items;
  Edges edges;
  Operators operators;
  std::vector<std::string> categories;
  Nodes nodes;
  Values values;
  Weights weights;
  Sources sources;
  std::vector<Overlay> overlays;
  std::string shown_overlay;
  std::optional<Comparison> compare;
  Messages messages;
};

// As web/src/document.ts describes it, without line breaks.
std::string to_json(const Document& document);

}  // namespace cameo::view
