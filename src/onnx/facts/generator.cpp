// facts_generator OPERATORS.TXT TABLE.CPP: turns the facts about operators into the table behind facts.h.
// Runs while Cameo is built.

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/facts/elements.h"

namespace {

using Words = std::vector<std::string>;
using cameo::onnx::facts::kElements;

// By Form.
constexpr std::string_view kForms[] = {"",        "seq(",       "optional(",   "optional(seq(",
                                       "map(i64", "map(string", "seq(map(i64", "seq(map(string"};
// By AttributeProto.AttributeType.
constexpr std::string_view kKinds[] = {
    "",     "float",   "int",     "string", "tensor",        "graph",          "floats",
    "ints", "strings", "tensors", "graphs", "sparse_tensor", "sparse_tensors", "type_proto"};

template <class Names>
std::size_t index_of(const Names& names, const std::string& name) {
  const auto* found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) throw std::runtime_error("unknown word '" + name + "'");
  return static_cast<std::size_t>(found - std::begin(names));
}

Words split(const std::string& text) {
  std::istringstream in(text);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

// Lists of rows in one array, equal lists once.
class Pool {
 public:
  std::string span(const std::string& array, const Words& list) {
    if (list.empty()) return "{}";
    std::string key;
    for (const std::string& row : list) key += row + '\n';
    const auto [found, added] = known_.try_emplace(key, rows.size());
    if (added) rows.insert(rows.end(), list.begin(), list.end());
    return "{" + array + " + " + std::to_string(found->second) + ", " + std::to_string(list.size()) + "}";
  }
  Words rows;

 private:
  std::map<std::string, std::size_t> known_;
};

class Generator {
 public:
  void line(const std::string& text) {
    const Words words = split(text);
    if (words.empty() || words[0][0] == '#') return;
    const Words rest(words.begin() + 1, words.end());
    if (words[0] == "in" || words[0] == "out" || words[0] == "attr" || words[0] == "type") {
      (words[0] == "in"     ? inputs_
       : words[0] == "out"  ? outputs_
       : words[0] == "attr" ? attributes_
                            : types_)
          .push_back(text.substr(text.find(words[0]) + words[0].size() + 1));
      return;
    }
    close();
    if (words[0] == "group") {
      groups_[rest.at(0)] = Words(rest.begin() + 1, rest.end());
    } else if (words[0] == "domain") {
      domain_ = rest.at(0);
      domains_.push_back("{" + quoted(domain_) + ", " + rest.at(1) + "}");
    } else if (words[0] == "op") {
      op_ = rest.at(0);
      since_.clear();
    } else if (words[0] == "since") {
      since_ = rest.at(0);
      deprecated_ = rest.size() > 1;
    } else {
      throw std::runtime_error("unknown line '" + words[0] + "'");
    }
  }

  void print(std::ostream& out) {
    close();
    std::sort(operators_.begin(), operators_.end());
    Words operators;
    for (const auto& [order, row] : operators_) operators.push_back(row);
    out << "#include \"onnx/facts/facts.h\"\n\nnamespace cameo::onnx::facts {\nnamespace {\n";
    array(out, "TypeSet", "kTypes", type_sets_);
    array(out, "Parameter", "kParameters", parameters_.rows);
    array(out, "Attribute", "kAttributes", attribute_rows_.rows);
    array(out, "Operator", "kOperators", operators);
    array(out, "Domain", "kDomains", domains_);
    out << "}\nstd::span<const Operator> operators() { return kOperators; }\n"
           "std::span<const Domain> domains() { return kDomains; }\n}\n";
  }

 private:
  static void array(std::ostream& out, const char* type, const char* name, const Words& rows) {
    out << "constexpr " << type << " " << name << "[] = {\n";
    for (const std::string& row : rows) out << row << ",\n";
    out << "};\n";
  }

  // The end of one version of an operator.
  void close() {
    if (since_.empty()) return;
    variables_.clear();
    for (const std::string& text : types_) {
      const std::size_t space = text.find(' ');
      variables_[text.substr(0, space)] = type_set(text.substr(space + 1));
    }
    const std::string inputs = parameters_.span("kParameters", parameters(inputs_));
    const std::string outputs = parameters_.span("kParameters", parameters(outputs_));
    Words attributes;
    for (const std::string& text : attributes_)
      for (const std::string& word : split(text)) attributes.push_back(attribute(word));
    operators_.push_back({{domain_, op_, std::stoi(since_)},
                          "{" + quoted(domain_) + ", " + quoted(op_) + ", " + since_ + ", " +
                              (deprecated_ ? "true" : "false") + ", " + inputs + ", " + outputs + ", " +
                              attribute_rows_.span("kAttributes", attributes) + "}"});
    for (Words* texts : {&inputs_, &outputs_, &attributes_, &types_}) texts->clear();
    since_.clear();
  }

  // "ints seq(f32 map(…))": the index of its row in kTypes.
  std::size_t type_set(const std::string& text) {
    std::array<std::uint32_t, std::size(kForms)> sets{};
    std::string form;
    std::string word;
    for (const char c : text + " ") {
      if (c != ' ' && c != '(' && c != ')') {
        word += c;
        continue;
      }
      if (c == '(') {
        form += word + "(";
      } else if (!word.empty()) {
        add(sets, form, word);
      }
      if (c == ')') form.erase(form.find_last_of('(', form.size() - 2) + 1);
      word.clear();
    }
    std::string row = "{{{";
    for (const std::uint32_t set : sets) row += std::to_string(set) + "u, ";
    const auto [found, added] = known_sets_.try_emplace(row, type_sets_.size());
    if (added) type_sets_.push_back(row + "}}}");
    return found->second;
  }

  void add(std::array<std::uint32_t, std::size(kForms)>& sets, std::string form, std::string word) {
    if (const auto group = groups_.find(word); group != groups_.end()) {
      for (const std::string& element : group->second) add(sets, form, element);
      return;
    }
    if (const std::size_t arrow = word.find('>'); arrow != std::string::npos) {
      form += word.substr(0, arrow);
      word.erase(0, arrow + 1);
    }
    sets[index_of(kForms, form)] |= 1U << index_of(kElements, word);
  }

  Words parameters(const Words& texts) {
    Words rows;
    for (const std::string& text : texts)
      for (const std::string& word : split(text)) rows.push_back(parameter(word));
    return rows;
  }

  std::string parameter(const std::string& word) {
    const std::size_t colon = word.rfind(':');
    const std::string type = word.substr(colon + 1);
    const std::size_t mark = std::min(word.find_first_of("?*"), colon);
    const bool variadic = word[mark] == '*';
    const auto variable = variables_.find(type);
    const bool fixed = variable == variables_.end();
    const std::size_t set = fixed ? type_set(type) : variable->second;
    return "{" + quoted(word.substr(0, mark)) + ", Arity::" +
           (variadic            ? "variadic"
            : word[mark] == '?' ? "optional"
                                : "single") +
           ", " + (variadic ? word.substr(mark + 1, 1) : "0") + ", " +
           (word[colon - 1] == '~' ? "false" : "true") + ", " + quoted(fixed ? "" : type) + ", &kTypes[" +
           std::to_string(set) + "]}";
  }

  static std::string attribute(const std::string& word) {
    const std::size_t colon = word.find(':');
    const std::size_t end = std::min(word.find_first_of("!=", colon), word.size());
    const std::size_t kind = index_of(kKinds, word.substr(colon + 1, end - colon - 1));
    const bool standard = end < word.size() && word[end] == '=';
    return "{" + quoted(word.substr(0, colon)) + ", Kind{" + std::to_string(kind) + "}, " +
           (end < word.size() && !standard ? "true" : "false") + ", " + (standard ? "true" : "false") + ", " +
           quoted(standard ? word.substr(end + 1) : "") + "}";
  }

  struct Order {
    std::string domain, op;
    int since;
    auto operator<=>(const Order&) const = default;
  };

  std::string domain_, op_, since_;
  bool deprecated_ = false;
  Words inputs_, outputs_, attributes_, types_;
  std::map<std::string, Words> groups_;
  std::map<std::string, std::size_t> variables_, known_sets_;
  Words type_sets_, domains_;
  Pool parameters_, attribute_rows_;
  std::vector<std::pair<Order, std::string>> operators_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream in(argv[1]);
  Generator generator;
  int number = 0;
  try {
    for (std::string line; std::getline(in, line);) {
      ++number;
      generator.line(line);
    }
    std::ofstream out(argv[2]);
    generator.print(out);
    return out.flush() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << argv[1] << ":" << number << ": " << error.what() << "\n";
    return 1;
  }
}
