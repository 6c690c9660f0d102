#include "driftless/report/page.hpp"

#include "driftless/report/page_data.hpp"
#include "driftless/report/page_files.hpp"

#include <stdexcept>

namespace driftless {
namespace {

// In a script element the text "</script" or "<!--" would end or change it; in JSON '<' only stands within strings.
std::string safe_in_script(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') safe += "\\u003c";
    else safe += c;
  }
  return safe;
}

void fill(std::string& page, std::string_view marker, std::string_view text) {
  const std::size_t at = page.find(marker);
  if (at == std::string::npos) throw std::logic_error("the page has no marker " + std::string(marker));
  page.replace(at, marker.size(), text);
}

}  // namespace

std::string page_around(const std::string& data) {
  std::string page(page_files::page_html);
  fill(page, "/*uplot.css*/", page_files::uplot_css);
  fill(page, "/*page.css*/", page_files::page_css);
  fill(page, "/*uplot.licence*/", "/*\n" + std::string(page_files::uplot_licence) + "*/");
  fill(page, "/*uplot.js*/", page_files::uplot_js);
  std::string scripts;
  for (const std::string_view script :
       {page_files::format_js, page_files::plot_js, page_files::chart_js, page_files::tables_js,
        page_files::coefficients_js, page_files::model_js, page_files::page_js})
    scripts += std::string(script) + "\n";
  fill(page, "/*page.js*/", scripts);
  fill(page, "/*data*/", safe_in_script(data));
  return page;
}

std::string report_page(std::span<const RunFiles> runs) { return page_around(page_data(runs)); }

}  // namespace driftless
