#include "bench/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::bench {
namespace {

constexpr double width = 260, height = 200, margin = 46;
constexpr std::array<const char*, 4> colours{"#1b6ca8", "#c4572e", "#3d8b40", "#7a4b9c"};

// Times from `low` to `high`, both powers of ten; sizes from `first` to `last`.
struct Scale {
  double first = 1, last = 2;
  double low = 0.01, high = 1;

  double x(double size) const { return margin + width * (size - first) / (last - first); }
  double y(double seconds) const {
    const double part = std::log10(seconds / low) / std::log10(high / low);
    return margin + height * (1 - std::clamp(part, 0.0, 1.0));
  }
};

Scale scale_of(const std::vector<Panel>& panels, const Panel& panel) {
  Scale scale;
  double slowest = 0.01;
  for (const Panel& each : panels)
    for (const Curve& curve : each.curves)
      for (const auto& [size, seconds] : curve.points) slowest = std::max(slowest, seconds);
  scale.high = std::pow(10, std::max(0.0, std::ceil(std::log10(slowest))));
  bool fresh = true;
  for (const Curve& curve : panel.curves)
    for (const auto& [size, seconds] : curve.points) {
      scale.first = fresh ? size : std::min(scale.first, size);
      scale.last = fresh ? size : std::max(scale.last, size);
      fresh = false;
    }
  if (scale.last <= scale.first) scale.last = scale.first + 1;
  return scale;
}

std::string axes(const Panel& panel, const Scale& scale) {
  std::string out = fmt::format(
      "<rect x='{0}' y='{0}' width='{1}' height='{2}' fill='none' stroke='#888'/>\n"
      "<text x='{3}' y='{4}' text-anchor='middle' font-weight='bold'>{5}</text>\n"
      "<text x='{3}' y='{6}' text-anchor='middle'>{7}</text>\n",
      margin, width, height, margin + width / 2, margin - 10, panel.title, margin + height + 32,
      panel.x_label);
  for (double tick = scale.low; tick <= scale.high * 1.001; tick *= 10)
    out += fmt::format(
        "<line x1='{0}' x2='{1}' y1='{2}' y2='{2}' stroke='#ddd'/>"
        "<text x='{3}' y='{4}' text-anchor='end'>{5:g} s</text>\n",
        margin, margin + width, scale.y(tick), margin - 4, scale.y(tick) + 4, tick);
  for (double tick = scale.first; tick <= scale.last; ++tick)
    out += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{:g}</text>\n", scale.x(tick),
                       margin + height + 15, tick);
  return out;
}

std::string curve_in(const Curve& curve, const Scale& scale, std::size_t number) {
  const char* colour = colours[number % colours.size()];
  std::string line, dots;
  for (const auto& [size, seconds] : curve.points) {
    line += fmt::format("{:.1f},{:.1f} ", scale.x(size), scale.y(seconds));
    dots += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='2.5' fill='{}'/>", scale.x(size),
                        scale.y(seconds), colour);
  }
  return fmt::format(
      "<polyline points='{}' fill='none' stroke='{}' stroke-width='1.5'/>{}\n"
      "<text x='{}' y='{}' fill='{}'>{}</text>\n",
      line, colour, dots, margin + 8, margin + 16 + 15 * static_cast<double>(number), colour,
      curve.name);
}

}  // namespace

std::string to_svg(const std::vector<Panel>& panels) {
  const double panel_width = width + 1.6 * margin;
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}' font-family='sans-serif' "
      "font-size='11'>\n<rect width='100%' height='100%' fill='white'/>\n",
      panel_width * static_cast<double>(panels.size()) + margin / 2, height + 2 * margin);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Scale scale = scale_of(panels, panels[i]);
    out += fmt::format("<g transform='translate({},0)'>\n", panel_width * static_cast<double>(i));
    out += axes(panels[i], scale);
    for (std::size_t j = 0; j < panels[i].curves.size(); ++j)
      out += curve_in(panels[i].curves[j], scale, j);
    out += "</g>\n";
  }
  return out + "</svg>\n";
}

}  // namespace heddle::bench
