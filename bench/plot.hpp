// Curves as an SVG picture: panels side by side, time on a logarithmic axis.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::bench {

struct Curve {
  std::string name{};
  std::vector<std::pair<double, double>> points{};  // x, seconds
};

struct Panel {
  std::string title{};
  std::string x_label{};
  std::vector<Curve> curves{};
};

std::string to_svg(const std::vector<Panel>& panels);

}  // namespace heddle::bench
