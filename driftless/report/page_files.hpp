// The sources of the page, built into the program by cmake/driftless_embed.cmake.
#pragma once

#include <string_view>

namespace driftless::page_files {

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view format_js;
extern const std::string_view plot_js;
extern const std::string_view chart_js;
extern const std::string_view tables_js;
extern const std::string_view coefficients_js;
extern const std::string_view model_js;
extern const std::string_view page_js;
extern const std::string_view uplot_js;
extern const std::string_view uplot_css;
extern const std::string_view uplot_licence;

}  // namespace driftless::page_files
