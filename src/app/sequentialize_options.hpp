// The options of `heddle sequentialize`, which `heddle check --engine=lazy` takes too.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "portfolio/sequential_text.hpp"
#include "sequentialize/options.hpp"

namespace heddle::app {

// As CLI11 sees them.
struct RawSequentialize {
  std::string scheme = "lazy";
  std::string scheduler = "rounds";
  std::string pc = "scalar";
  std::string mu{};
  std::optional<std::uint32_t> positions{};
  bool no_fresh_blocks = false, no_main_objects = false, no_quiet_cells = false;
  bool no_shared_positions = false;
  std::optional<std::uint32_t> rounds{}, threads{}, recursion{}, unwind{};
  bool no_local = false, no_conflicts = false, no_justified = false, markers = false;
};

void add_sequentialize_options(CLI::App& command, RawSequentialize& raw);
void add_mu_options(CLI::App& command, RawSequentialize& raw);
sequentialize::LazyOptions lazy_options(const RawSequentialize& raw);
sequentialize::MuOptions mu_options(const RawSequentialize& raw);
portfolio::Scheme scheme_of(const RawSequentialize& raw);

}  // namespace heddle::app
