#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cameo::model {

// A sum of products of sizes, which are numbers or names.
class Polynomial {
 public:
  Polynomial() = default;  // 0
  explicit Polynomial(std::uint64_t number) {
    if (number != 0) terms_[{}] = number;
  }
  explicit Polynomial(const std::string& size) { terms_[{size}] = 1; }

  // Absent if a number does not fit into 64 bits.
  static std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b);
  static std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b);

  // The names of a term, sorted, and its factor.
  const std::map<std::vector<std::string>, std::uint64_t>& terms() const { return terms_; }

 private:
  bool add(const std::vector<std::string>& sizes, std::uint64_t factor);

  std::map<std::vector<std::string>, std::uint64_t> terms_;
};

}  // namespace cameo::model
