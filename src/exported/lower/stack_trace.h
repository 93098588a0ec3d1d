#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "exported/graph.h"
#include "script/source_map.h"

namespace cameo::exported {

// The user's own frames of Python's text of a call stack, innermost first. Frames of torch.export and of the
// machinery around modules are left out.
std::vector<Position> parse_stack_trace(std::string_view text);

// The Python lines of the statements of lowered graphs, from the stack traces of the nodes.
class NodeSourceMap final : public script::SourceMap {
 public:
  struct Entry {
    script::Range range;  // of the statements
    const Node* node = nullptr;
  };
  // In the order of the text. The nodes must outlive this.
  explicit NodeSourceMap(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  std::vector<Position> locate(script::Range range, script::Range scope) const override;

 private:
  std::vector<Entry> entries_;
};

}  // namespace cameo::exported
