#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <set>

#include "attention/draw/font.hpp"

namespace attention::draw {
namespace {

namespace fs = std::filesystem;

// File names without their endings, best first. One clear Latin face, then faces with Chinese.
constexpr std::array known = {
    "dejavusans", "notosans-regular", "liberationsans-regular", "freesans", "helvetica", "arial",
    // Debian's fonts-wqy-microhei, fonts-droid-fallback, fonts-noto-cjk …
    "wqy-microhei", "droidsansfallbackfull", "droidsansfallback", "notosanscjk-regular",
    "notosanscjksc-regular", "notosanssc-regular", "sourcehansanscn-regular",
    "sourcehansanssc-regular", "sourcehansans-regular", "wqy-zenhei",
    // … macOS …
    "pingfang", "hiragino sans gb", "stheiti light", "stheiti medium", "songti", "arial unicode",
    // … and others that people copy in.
    "uming", "ukai", "msyh", "simhei", "simsun"};

fs::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::vector<fs::path> find_fonts() {
  std::vector<fs::path> folders = {"/usr/share/fonts", "/usr/local/share/fonts",
                                   "/System/Library/Fonts", "/Library/Fonts"};
  if (const fs::path home = from_environment("HOME"); !home.empty())
    for (const char* folder : {".local/share/fonts", ".fonts", "Library/Fonts"})
      folders.push_back(home / folder);

  std::set<std::pair<std::ptrdiff_t, fs::path>> ranked;
  for (const fs::path& folder : folders) {
    std::error_code error;  // a folder that is not there, or not ours to read, has no fonts
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator file(folder, options, error), end; !error && file != end;
         file.increment(error)) {
      const std::string ending = lower(file->path().extension().string());
      const auto place = std::find(known.begin(), known.end(), lower(file->path().stem().string()));
      if (place != known.end() && (ending == ".ttf" || ending == ".ttc" || ending == ".otf"))
        ranked.emplace(place - known.begin(), file->path());
    }
  }
  std::vector<fs::path> files;
  if (const fs::path wish = from_environment("ATTENTION_FONT"); !wish.empty())
    files.push_back(wish);
  for (const auto& [rank, file] : ranked) files.push_back(file);
  return files;
}

}  // namespace attention::draw
