#include "archive/pickle_arena.h"

#include "cameo/diagnostic.h"

namespace cameo::archive {

void PickleArena::charge(std::size_t items) {
  if (items > budget_) fail("the pickle expands far beyond its own size");
  budget_ -= items;
}

void PickleArena::fail(std::string message) const {
  throw Error(Diagnostic{.code = Code::bad_pickle,
                         .message = std::move(message),
                         .offset = offset_,
                         .record = name_,
                         .hint = "the file is damaged or was not written by PyTorch: save it again"});
}

}  // namespace cameo::archive
