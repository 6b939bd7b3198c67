#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace heddle::report {
namespace {

constexpr std::size_t narrowest_column = 26;
constexpr std::size_t gap = 2;

// Cuts at a character, with an ellipsis where something is lost.
std::string fitted(std::string_view text, std::size_t width) {
  if (shown_width(text) <= width) return std::string(text);
  std::string result;
  std::size_t shown = 0;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    if (!continues && shown + 3 >= width) break;
    if (!continues) ++shown;
    result += c;
  }
  return result + "...";
}

// Lines of words; only a word that is too long for one is cut.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word = fitted(text.substr(0, end), width);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (shown_width(line) + 1 + shown_width(word) <= width)
      line += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t shown = shown_width(text);
  if (shown < width) text.append(width - shown, ' ');
  return text;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : ", ") + part;
  return result;
}

class Table {
 public:
  Table(const ir::Program& program, const Story& story, const std::vector<std::string>& routines,
        const Style& style)
      : program_(program), story_(story), routines_(routines), style_(style) {
    for (const Row& row : story.rows) {
      used_.push_back(row.thread);
      step_width_ = std::to_string(story.rows.size()).size();
      line_width_ = std::max(line_width_, place(row).size());
    }
    step_width_ = std::max<std::size_t>(step_width_, 4);
    std::sort(used_.begin(), used_.end());
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    const std::size_t lead = 2 + step_width_ + gap + line_width_;
    const std::size_t left = style.width > lead ? style.width - lead : 0;
    const std::size_t share = used_.empty() ? 0 : left / used_.size();
    in_columns_ = share >= narrowest_column + gap;
    column_width_ = in_columns_ ? share - gap : std::max<std::size_t>(left, narrowest_column) - gap;
  }

  std::string print() {
    print_header();
    const std::size_t count = story_.rows.size();
    const bool too_long = count > style_.most_rows;
    const std::size_t head = too_long ? style_.most_rows / 4 : count;
    const std::size_t tail_from = too_long ? count - (style_.most_rows - head) : count;
    for (std::size_t i = 0; i < head; ++i) print_row(i);
    if (too_long) {
      out_ +=
          fmt::format("\n  {} steps are not shown (--full-trace shows them)\n", tail_from - head);
      for (std::size_t i = tail_from; i < count; ++i) print_row(i);
    }
    return std::move(out_);
  }

 private:
  std::string place(const Row& row) const {
    // The file is named where it is not the one that the trace begins in.
    if (row.source.file == story_.rows.front().source.file) return std::to_string(row.source.line);
    const std::string& name = program_.file(row.source.file).name;
    return fmt::format("{}:{}", name.substr(name.find_last_of('/') + 1), row.source.line);
  }

  std::string title(ThreadNumber thread) const {
    return fmt::format("T{} {}", thread, routines_[thread]);
  }

  void print_header() {
    std::string line = fmt::format("  {:>{}}  {:>{}}", "step", step_width_, "line", line_width_);
    if (in_columns_)
      for (const ThreadNumber thread : used_)
        line += "  " + padded(fitted(title(thread), column_width_), column_width_);
    out_ += style_.bold(without_trailing_spaces(line)) + "\n";
  }

  void print_row(std::size_t index) {
    const Row& row = story_.rows[index];
    const bool switches = index > 0 && story_.rows[index - 1].thread != row.thread;
    if (switches) out_ += "\n";
    const std::vector<std::string> cell = cell_of(row, index == 0 || switches);
    for (std::size_t i = 0; i < cell.size(); ++i) {
      std::string line =
          i == 0 ? fmt::format("  {:>{}}  {:>{}}", index + 1, step_width_, place(row), line_width_)
                 : std::string(2 + step_width_ + gap + line_width_, ' ');
      if (in_columns_) {
        const auto column = static_cast<std::size_t>(
            std::find(used_.begin(), used_.end(), row.thread) - used_.begin());
        line.append(column * (column_width_ + gap), ' ');
      }
      out_ += without_trailing_spaces(line + "  " + cell[i]) + "\n";
    }
  }

  // The source text, and what it did beside it or, where that does not fit, below.
  std::vector<std::string> cell_of(const Row& row, bool names_thread) const {
    std::vector<std::string> cell;
    std::string text = row.text;
    if (!in_columns_ && names_thread) cell.push_back(style_.bold(title(row.thread) + ":"));
    const std::string effects = joined(row.effects);
    if (!effects.empty() && shown_width(text) + 3 + shown_width(effects) <= column_width_) {
      cell.push_back(text + "   " + style_.yellow(effects));
      return cell;
    }
    cell.push_back(fitted(text, column_width_));
    std::string line;
    for (const std::string& effect : row.effects) {
      if (!line.empty() && shown_width(line) + 2 + shown_width(effect) > column_width_ - 2) {
        print_effects(line + ",", cell);
        line.clear();
      }
      line += (line.empty() ? "" : ", ") + effect;
    }
    if (!line.empty()) print_effects(line, cell);
    return cell;
  }

  void print_effects(const std::string& effects, std::vector<std::string>& cell) const {
    for (const std::string& line : wrapped(effects, column_width_ - 2))
      cell.push_back("  " + style_.yellow(line));
  }

  const ir::Program& program_;
  const Story& story_;
  const std::vector<std::string>& routines_;
  const Style& style_;
  std::vector<ThreadNumber> used_{};  // threads with rows, in order
  std::size_t step_width_ = 4, line_width_ = 4, column_width_ = 0;
  bool in_columns_ = true;
  std::string out_{};
};

}  // namespace

std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string table_of(const ir::Program& program, const Story& story,
                     const std::vector<std::string>& routines, const Style& style) {
  if (story.rows.empty()) return {};
  return Table(program, story, routines, style).print();
}

}  // namespace heddle::report
