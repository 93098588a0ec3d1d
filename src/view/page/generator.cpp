// page_generator TEMPLATE OUTPUT: writes the C++ source that holds the page.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace {

// Characters of one literal; compilers limit them.
constexpr std::size_t kPiece = 8000;

std::string literal(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      out += '\\';
      out += c;
    } else if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\%03o", static_cast<unsigned>(byte));
      out += escape;
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream in(argv[1], std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in || text.empty()) {
    std::fprintf(stderr, "page_generator: cannot read %s\n", argv[1]);
    return 1;
  }
  std::ofstream out(argv[2]);
  out << "#include \"view/page/template.h\"\nnamespace cameo::view {\nnamespace {\nconstexpr char kText[] =\n    \"\"";
  for (std::size_t i = 0; i < text.size(); i += kPiece) out << "\n    \"" << literal(text.substr(i, kPiece)) << '"';
  out << ";\n}  // namespace\nconst std::string_view kTemplate(kText, sizeof kText - 1);\n}  // namespace cameo::view\n";
  return out ? 0 : 1;
}
