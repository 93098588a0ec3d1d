#include "cli/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/core.h>

#include "base/mapped_file.h"
#include "base/new_file.h"
#include "base/temporary_folder.h"
#include "cameo/diagnostic.h"

extern char** environ;

namespace cameo::cli {
namespace {

#ifdef __APPLE__
constexpr const char* kOpener = "open";
#else
constexpr const char* kOpener = "xdg-open";
#endif

// Starts a program without its output. 0 if there is no such program.
pid_t start(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments.front(), &quiet, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  return failed == 0 ? child : 0;
}

bool finish(pid_t child) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// "width" or "height" of the picture, which our own writer put there.
std::string size_of(const std::string& svg, const std::string& name) {
  const std::size_t begin = svg.find(name + "=\"") + name.size() + 2;
  return svg.substr(begin, svg.find('"', begin) - begin);
}

}  // namespace

void write_page(const std::string& path, const std::vector<std::string>& files, const ViewOptions& options) {
  if (std::filesystem::path(path).extension() != ".html")
    throw Error(Diagnostic{.code = Code::unknown_report,
                           .message = "the extension of the page is not .html",
                           .file = path,
                           .hint = "name a file that ends with .html"});
  NewFile file(path);
  file.append(render_view(files, ViewFormat::html, options));
  file.commit();
}

void open_in_browser(const std::string& path) {
  start({kOpener, std::filesystem::absolute(path).string()});
}

void draw_png(const std::string& svg, const std::string& path) {
  const TemporaryFolder folder;
  const std::filesystem::path picture = std::filesystem::path(folder.path()) / "picture.svg";
  const std::filesystem::path drawn = std::filesystem::path(folder.path()) / "picture.png";
  std::ofstream(picture) << svg;
  constexpr std::array kBrowsers = {"chromium", "chromium-browser", "google-chrome", "chrome"};
  for (const char* browser : kBrowsers) {
    const pid_t child = start({browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                               "--disable-background-networking", "--disable-component-update", "--disable-sync",
                               "--hide-scrollbars", "--user-data-dir=" + (std::filesystem::path(folder.path()) / "profile").string(),
                               fmt::format("--window-size={},{}", size_of(svg, "width"), size_of(svg, "height")),
                               "--screenshot=" + drawn.string(), "file://" + picture.string()});
    if (!finish(child) || !std::filesystem::exists(drawn)) continue;
    const auto made = MappedFile::open(drawn.string());
    NewFile file(path);
    file.append({reinterpret_cast<const char*>(made->bytes().data()), made->bytes().size()});
    file.commit();
    return;
  }
  throw Error(Diagnostic{.code = Code::no_browser,
                         .message = "no Chromium or Chrome could draw the picture",
                         .file = path,
                         .hint = "install chromium, or write an SVG picture: -o FILE.svg"});
}

}  // namespace cameo::cli
