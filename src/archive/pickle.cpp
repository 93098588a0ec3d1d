#include "archive/pickle.h"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <unordered_map>

#include "archive/byte_reader.h"
#include "archive/pickle_arena.h"
#include "archive/pickle_globals.h"
#include "archive/pickle_opcodes.h"
#include "archive/pickle_text.h"

namespace cameo::archive {

class PickleMachine {
 public:
  PickleMachine(Pickle& pickle, Bytes bytes, const PickleSource& source)
      : pickle_(pickle),
        bytes_(bytes),
        source_(source),
        arena_(bytes.size(), source.name, pickle.values_, pickle.strings_),
        none_(arena_.make(None{})),
        true_(arena_.make(true)),
        false_(arena_.make(false)) {}

  void run() {
    for (;;) {
      arena_.set_offset(at_);
      const auto opcode = static_cast<Opcode>(number<std::uint8_t>());
      if (opcode == Opcode::stop) break;
      if (!push_scalar(opcode) && !build_container(opcode) && !use_object(opcode) && !use_stack(opcode)) {
        arena_.fail(fmt::format("the pickle opcode 0x{:02x} is unknown", static_cast<unsigned>(opcode)));
      }
    }
    pickle_.root_ = pop();
    pickle_.consumed_ = at_;
  }

 private:
  Bytes take(std::uint64_t count) {
    if (count > bytes_.size() - at_) arena_.fail("the pickle ends in the middle of an instruction");
    const Bytes taken = bytes_.subspan(at_, count);
    at_ += count;
    return taken;
  }

  template <class T>
  T number() {
    return load_le<T>(take(sizeof(T)), 0);
  }

  template <class Length>
  std::string_view counted() {
    return as_text(take(number<Length>()));
  }

  std::string_view line() {
    const std::string_view rest = as_text(bytes_.subspan(at_));
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) arena_.fail("the pickle ends in the middle of a line");
    at_ += end + 1;
    return rest.substr(0, end);
  }

  template <class T>
  T parsed(std::optional<T> value, std::string_view what) {
    if (!value) arena_.fail(fmt::format("the pickle holds a malformed {}", what));
    return *std::move(value);
  }

  void push(Value* value) { stack_.push_back(value); }
  template <class T>
  void push_new(T data) {
    push(arena_.make(std::move(data)));
  }

  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

  Value* top() {
    if (stack_.size() <= floor()) arena_.fail("the pickle takes a value that it has not pushed");
    return stack_.back();
  }
  Value* pop() {
    Value* value = top();
    stack_.pop_back();
    return value;
  }

  std::vector<Ref> pop_to(std::size_t start) {
    std::vector<Ref> items(stack_.begin() + static_cast<std::ptrdiff_t>(start), stack_.end());
    stack_.resize(start);
    return items;
  }
  std::vector<Ref> pop_mark() {
    if (marks_.empty()) arena_.fail("the pickle closes a group that it has not opened");
    const std::size_t start = marks_.back();
    marks_.pop_back();
    return pop_to(start);
  }
  std::vector<Ref> pop_count(std::size_t count) {
    if (stack_.size() - floor() < count) arena_.fail("the pickle takes a value that it has not pushed");
    return pop_to(stack_.size() - count);
  }

  Value* small_int(std::uint8_t value) {
    Value*& shared = small_ints_[value];
    if (shared == nullptr) shared = arena_.make(std::int64_t{value});
    return shared;
  }

  void push_two_complement(Bytes digits) {
    while (digits.size() > 8) {
      const bool negative = std::to_integer<int>(digits[digits.size() - 2]) >= 0x80;
      if (digits.back() != (negative ? std::byte{0xff} : std::byte{0})) break;
      digits = digits.first(digits.size() - 1);
    }
    if (digits.size() > 8) return push_new(BigInt{as_text(digits)});
    const bool negative = !digits.empty() && std::to_integer<int>(digits.back()) >= 0x80;
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = digits.size(); i-- > 0;)
      value = value << 8 | std::to_integer<std::uint64_t>(digits[i]);
    push_new(static_cast<std::int64_t>(value));
  }

  void push_int_text() {
    const std::string_view text = line();
    if (text == "01") return push(true_);
    if (text == "00") return push(false_);
    push_new(parsed(parse_decimal(text), "integer"));
  }

  void push_big_endian_double() {
    const Bytes digits = take(8);
    std::uint64_t bits = 0;
    for (const std::byte digit : digits) bits = bits << 8 | std::to_integer<std::uint64_t>(digit);
    push_new(std::bit_cast<double>(bits));
  }

  bool push_scalar(Opcode opcode) {
    switch (opcode) {
      case Opcode::none: push(none_); return true;
      case Opcode::newtrue: push(true_); return true;
      case Opcode::newfalse: push(false_); return true;
      case Opcode::binint1: push(small_int(number<std::uint8_t>())); return true;
      case Opcode::binint2: push_new(std::int64_t{number<std::uint16_t>()}); return true;
      case Opcode::binint: push_new(std::int64_t{number<std::int32_t>()}); return true;
      case Opcode::long1: push_two_complement(take(number<std::uint8_t>())); return true;
      case Opcode::long4: push_two_complement(take(number<std::uint32_t>())); return true;
      case Opcode::int_text: push_int_text(); return true;
      case Opcode::long_text: push_new(parsed(parse_decimal(line()), "integer")); return true;
      case Opcode::binfloat: push_big_endian_double(); return true;
      case Opcode::float_text: push_new(parsed(parse_float(line()), "number")); return true;
      case Opcode::binunicode:
      case Opcode::binstring: push_new(String{counted<std::uint32_t>()}); return true;
      case Opcode::short_binunicode:
      case Opcode::short_binstring: push_new(String{counted<std::uint8_t>()}); return true;
      case Opcode::binunicode8: push_new(String{counted<std::uint64_t>()}); return true;
      case Opcode::string_text:
        push_new(String{arena_.keep(parsed(parse_quoted(line()), "string"))});
        return true;
      case Opcode::unicode_text:
        push_new(String{arena_.keep(parsed(parse_unicode_escape(line()), "string"))});
        return true;
      case Opcode::binbytes: push_new(ByteString{counted<std::uint32_t>()}); return true;
      case Opcode::short_binbytes: push_new(ByteString{counted<std::uint8_t>()}); return true;
      case Opcode::binbytes8:
      case Opcode::bytearray8: push_new(ByteString{counted<std::uint64_t>()}); return true;
      default: return false;
    }
  }

  // Items for a container that has no meaning here are dropped with it.
  void append(const std::vector<Ref>& items) {
    if (List* list = std::get_if<List>(&top()->data)) {
      list->items.insert(list->items.end(), items.begin(), items.end());
    } else if (Set* set = std::get_if<Set>(&top()->data)) {
      set->items.insert(set->items.end(), items.begin(), items.end());
    }
  }

  void set_items(Dict& dict, const std::vector<Ref>& items) {
    if (items.size() % 2 != 0) arena_.fail("the pickle has a key without a value");
    dict.items.reserve(dict.items.size() + items.size() / 2);
    for (std::size_t i = 0; i < items.size(); i += 2) dict.items.emplace_back(items[i], items[i + 1]);
  }
  void set_items(const std::vector<Ref>& items) {
    if (Dict* dict = std::get_if<Dict>(&top()->data)) set_items(*dict, items);
  }

  bool build_container(Opcode opcode) {
    switch (opcode) {
      case Opcode::empty_tuple: push_new(Tuple{}); return true;
      case Opcode::tuple1: push_new(Tuple{pop_count(1)}); return true;
      case Opcode::tuple2: push_new(Tuple{pop_count(2)}); return true;
      case Opcode::tuple3: push_new(Tuple{pop_count(3)}); return true;
      case Opcode::tuple: push_new(Tuple{pop_mark()}); return true;
      case Opcode::empty_list: push_new(List{}); return true;
      case Opcode::list: push_new(List{.items = pop_mark(), .type = {}}); return true;
      case Opcode::append: append(pop_count(1)); return true;
      case Opcode::appends:
      case Opcode::additems: append(pop_mark()); return true;
      case Opcode::empty_dict: push_new(Dict{}); return true;
      case Opcode::dict: {
        Dict dict;
        set_items(dict, pop_mark());
        push_new(std::move(dict));
        return true;
      }
      case Opcode::setitem: set_items(pop_count(2)); return true;
      case Opcode::setitems: set_items(pop_mark()); return true;
      case Opcode::empty_set: push_new(Set{}); return true;
      case Opcode::frozenset: push_new(Set{.items = pop_mark(), .frozen = true}); return true;
      default: return false;
    }
  }

  static bool is_torchscript(const Global& global) {
    return global.module == "__torch__" || global.module.starts_with("__torch__.");
  }

  Value* call(Value* callee, Ref args) {
    if (const Global* global = callee->get_if<Global>()) {
      // An enum is the one thing that is called with a bare value.
      if (is_torchscript(*global) && args->get_if<Tuple>() == nullptr) {
        return arena_.make(EnumValue{*global, args});
      }
      if (Value* known = call_global(arena_, *global, args)) return known;
    }
    return arena_.make(Call{.callee = callee, .args = args});
  }

  Value* instance(Value* cls, Ref args) {
    const Global* global = cls->get_if<Global>();
    if (global == nullptr) return arena_.make(Call{.callee = cls, .args = args});
    if (Value* known = call_global(arena_, *global, args)) return known;
    return arena_.make(Object{.cls = *global, .args = args});
  }

  void build(Ref state) {
    if (Object* object = std::get_if<Object>(&top()->data)) object->state = state;
    if (Call* opaque = std::get_if<Call>(&top()->data)) opaque->state = state;
  }

  void push_global_from_stack() {
    const String* name = pop()->get_if<String>();
    const String* module = pop()->get_if<String>();
    if (name == nullptr || module == nullptr)
      arena_.fail("the pickle names a global by something not a string");
    push_new(Global{module->text, name->text});
  }

  Value* storage(const std::vector<Ref>& id) {
    const Global* type = id.size() >= 5 ? id[1]->get_if<Global>() : nullptr;
    const String* key = id.size() >= 5 ? id[2]->get_if<String>() : nullptr;
    const String* location = id.size() >= 5 ? id[3]->get_if<String>() : nullptr;
    const std::int64_t* numel = id.size() >= 5 ? id[4]->get_if<std::int64_t>() : nullptr;
    if (type == nullptr || key == nullptr || numel == nullptr)
      arena_.fail("a storage's description is malformed");
    if (*numel < 0) arena_.fail(fmt::format("the storage '{}' has a negative size", key->text));
    const DType dtype = storage_dtype(arena_, *type);
    arena_.charge(key->text.size() / 16);
    std::shared_ptr<const Storage>& found = storages_[fmt::format("{}/{}", name(dtype), key->text)];
    if (found == nullptr && source_.storage) {
      found = source_.storage(dtype, key->text, location == nullptr ? "" : location->text, *numel);
    }
    if (found == nullptr) arena_.fail(fmt::format("the storage '{}' is missing", key->text));
    return arena_.make(StorageRef{found});
  }

  Value* persistent(Ref id) {
    if (const Tuple* tuple = id->get_if<Tuple>(); tuple != nullptr && !tuple->items.empty()) {
      const String* kind = tuple->items[0]->get_if<String>();
      if (kind != nullptr && kind->text == "storage") return storage(tuple->items);
    }
    return arena_.make(PersistentId{id});
  }

  bool use_object(Opcode opcode) {
    switch (opcode) {
      case Opcode::global: {
        const std::string_view module = line();
        push_new(Global{module, line()});
        return true;
      }
      case Opcode::stack_global: push_global_from_stack(); return true;
      case Opcode::reduce: {
        Value* args = pop();
        push(call(pop(), args));
        return true;
      }
      case Opcode::newobj_ex: pop(); [[fallthrough]];
      case Opcode::newobj: {
        Value* args = pop();
        push(instance(pop(), args));
        return true;
      }
      case Opcode::inst: {
        const std::string_view module = line();
        Value* cls = arena_.make(Global{module, line()});
        push(instance(cls, arena_.make(Tuple{pop_mark()})));
        return true;
      }
      case Opcode::obj: {
        std::vector<Ref> items = pop_mark();
        if (items.empty()) arena_.fail("the pickle makes an object without a class");
        Value* cls = const_cast<Value*>(items.front());
        items.erase(items.begin());
        push(instance(cls, arena_.make(Tuple{std::move(items)})));
        return true;
      }
      case Opcode::build: build(pop()); return true;
      case Opcode::binpersid: push(persistent(pop())); return true;
      case Opcode::persid: push(persistent(arena_.make(String{line()}))); return true;
      default: return false;
    }
  }

  void put(std::uint64_t index) {
    // Every writer numbers its memo from 0 on, and each entry costs it more than a byte.
    if (index >= bytes_.size()) arena_.fail(fmt::format("the pickle's memo index {} is absurd", index));
    if (index >= memo_.size()) memo_.resize(index + 1, nullptr);
    memo_[index] = top();
  }
  void get(std::uint64_t index) {
    if (index >= memo_.size() || memo_[index] == nullptr) {
      arena_.fail(fmt::format("the pickle recalls the memo entry {}, which it has not stored", index));
    }
    push(memo_[index]);
  }
  std::uint64_t index_text() {
    return static_cast<std::uint64_t>(parsed(parse_decimal(line()), "memo index"));
  }

  bool use_stack(Opcode opcode) {
    switch (opcode) {
      case Opcode::mark: marks_.push_back(stack_.size()); return true;
      case Opcode::pop:
        if (!marks_.empty() && stack_.size() == marks_.back()) {
          marks_.pop_back();
        } else {
          pop();
        }
        return true;
      case Opcode::pop_mark: pop_mark(); return true;
      case Opcode::dup: push(top()); return true;
      case Opcode::put: put(index_text()); return true;
      case Opcode::binput: put(number<std::uint8_t>()); return true;
      case Opcode::long_binput: put(number<std::uint32_t>()); return true;
      case Opcode::memoize: put(memo_.size()); return true;
      case Opcode::get: get(index_text()); return true;
      case Opcode::binget: get(number<std::uint8_t>()); return true;
      case Opcode::long_binget: get(number<std::uint32_t>()); return true;
      case Opcode::proto:
        if (number<std::uint8_t>() > 5) arena_.fail("the pickle's protocol is newer than 5");
        return true;
      case Opcode::frame: take(8); return true;
      default: return false;
    }
  }

  Pickle& pickle_;
  Bytes bytes_;
  const PickleSource& source_;
  PickleArena arena_;
  std::size_t at_ = 0;
  std::vector<Value*> stack_;
  std::vector<std::size_t> marks_;
  std::vector<Value*> memo_;
  std::unordered_map<std::string, std::shared_ptr<const Storage>> storages_;
  std::array<Value*, 256> small_ints_{};
  Value* none_;
  Value* true_;
  Value* false_;
};

Pickle::Pickle(Bytes bytes, const PickleSource& source) { PickleMachine(*this, bytes, source).run(); }

}  // namespace cameo::archive
