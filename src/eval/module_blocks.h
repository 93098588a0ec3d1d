#pragma once
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "script/ast.h"

namespace cameo::eval {

// The call of a module that stands in its place as a block: `with self.head:`. A lowered torch.export program
// has such blocks.
struct ModuleBlock {
  std::vector<std::string_view>
      reads;  // variables that the block may read from outside, in the order of first use
  std::vector<std::string_view>
      gives;             // variables that it assigns and that are read after it, in the same order
  bool numbers = false;  // it also reads variables that are no tensors
  bool whole = true;     // false: other blocks of the function are parts of the same call
};

// Analyses the blocks of functions. Each function is analysed once.
class ModuleBlocks {
 public:
  // The block at `range` of the file.
  ModuleBlock at(const script::SourceFile& file, script::Range range, const script::With& block);

 private:
  struct Uses {
    std::unordered_map<std::string_view, std::uint32_t> last_read;  // where each variable is read last
    std::map<std::string, int> blocks;                              // of each call of a module
  };
  const Uses& uses_of(const script::FunctionDef& function);

  std::unordered_map<const script::FunctionDef*, Uses> uses_;
};

}  // namespace cameo::eval
