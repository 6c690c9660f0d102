// The commands of the program as functions: what was asked for goes in, the exit code comes out. Results go to standard
// output, human text to standard error; trouble is thrown.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/reproduce/figure3.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace driftless::app {

enum class Format { text, json };

enum class TransportName { solo, mpi };

struct RunRequest {
  std::string file;
  std::vector<std::string> overrides;  // key=value
  std::string out;
  bool dry_run = false;
  TransportName transport = TransportName::solo;
  std::vector<std::string> links;  // networks to replay the run on
  std::optional<int> live;         // port of the page that shows the run; 0: any free one
  Format format = Format::text;
};
ExitCode run(const RunRequest& request);

struct ResumeRequest {
  std::string directory;  // that 'driftless run' left before it was finished
  Format format = Format::text;
};
ExitCode resume(const ResumeRequest& request);

struct ServeRequest {
  std::string file;
  std::vector<std::string> overrides;  // key=value
  std::string listen = "127.0.0.1:7443";
  std::string tls;  // folder
  bool plain = false;
  std::string out;
  double wait = 600.0;
  std::uint64_t journal_bytes = std::uint64_t{64} << 20;  // at which a file of the journal is closed
  bool dry_run = false;
  bool status = false;  // only show how the server in this folder stands
  Format format = Format::text;
};
ExitCode serve(const ServeRequest& request);

// What a site says of itself, to join or to see whether it could.
struct SiteRequest {
  std::string address;
  std::string tls;  // folder
  bool plain = false;
  std::string site;
  std::vector<std::string> data;
  std::string out;
  Format format = Format::text;
};

struct JoinRequest : SiteRequest {
  std::vector<std::string> allowed_methods;
  std::optional<std::size_t> most_rounds;
  std::size_t threads = 0;
  double wait = 20.0;
  double grace = 60.0;
  bool dry_run = false;
};
ExitCode join_run(const JoinRequest& request);

ExitCode preflight(const SiteRequest& request);

struct TuneRequest {
  std::string file;
  std::vector<std::string> overrides;  // key=value
  std::string out;
  std::string resume;  // the directory of a search that was begun; instead of `out`
  bool dry_run = false;
  Format format = Format::text;
};
ExitCode tune(const TuneRequest& request);

ExitCode methods(Format format);

struct ReproduceRequest {
  std::string what;               // fig1 | fig2 | fig3 | table1
  std::vector<std::string> sets;  // of fig2; empty: its own; "all": every one that is known
  bool iid = false;               // fig2: rows divided evenly at random in place of the Dirichlet draw
  Figure3Setup nets;              // fig3
  std::string out;                // a folder, new or empty; reproduce-WHAT if empty
  Format format = Format::text;
};
ExitCode reproduce(const ReproduceRequest& request);

struct ExportRequest {
  std::string directory;  // that 'driftless run' left
  std::string method;     // its label; empty: the only one
  std::string out = "model.pt";
};
ExitCode export_network(const ExportRequest& request);

struct CompareRequest {
  enum class Layout { text, markdown, json };
  std::vector<std::string> files;
  std::vector<std::string> overrides;  // key=value
  std::vector<std::string> methods;    // empty: all
  Layout layout = Layout::text;
};
ExitCode compare(const CompareRequest& request);

struct BenchRequest {
  std::vector<std::string> data;
  std::size_t clients = 142;
  std::size_t threads = 0;
  bool growth = false;
  double largest = 1e8;  // nonzeros
  double seconds = 0.3;  // for each measurement
  std::string out;       // a JSON file; none if empty
  Format format = Format::text;
};
ExitCode bench(const BenchRequest& request);

struct ReportRequest {
  std::vector<std::string> directories;
  std::string out;                 // the page; report.html if empty
  std::string svg;                 // a folder for figures; none if empty
  std::vector<std::string> links;  // networks to replay the runs on
  Format format = Format::text;
};
ExitCode report(const ReportRequest& request);

struct InspectRequest {
  std::string file;
  std::vector<std::string> overrides;  // key=value
  std::string at = "zero";             // zero | optimum | a .npy file
  std::string along;                   // a method; empty: none
  std::string out;                     // empty: nothing is written
  Format format = Format::text;
};
ExitCode inspect(const InspectRequest& request);

struct DescribeRequest {
  std::string name;
  bool example = false;  // only the example configuration
  Format format = Format::text;
};
ExitCode describe(const DescribeRequest& request);

struct DataInfoRequest {
  std::string data;  // name or path
  std::optional<std::size_t> dim;
  Format format = Format::text;
};
ExitCode data_info(const DataInfoRequest& request);

struct DataSplitRequest {
  std::string data;
  std::optional<std::size_t> dim;
  std::size_t clients = 0;
  std::string split = "iid";
  double alpha = 1.0;
  std::size_t seed = 1;
  std::string out;  // a new folder; NAME-split if empty
  Format format = Format::text;
};
ExitCode data_split(const DataSplitRequest& request);

struct DataGetRequest {
  std::string name;
  std::string from;    // another address than the publisher's
  std::string sha256;  // another digest of the plain text than the known one
  bool list = false;   // show what there is
  Format format = Format::text;
};
ExitCode data_get(const DataGetRequest& request);

// Options of a generator as given on the command line: name and text.
using GivenOptions = std::vector<std::pair<std::string, std::string>>;

struct GenerateRequest {
  GivenOptions given;
  std::size_t seed = 1;
  std::string out;
  Format format = Format::text;
};
ExitCode generate_quadratic(const GenerateRequest& request);
ExitCode generate_classification(const GenerateRequest& request);

struct PkiInitRequest {
  std::string authority;  // the folder of the CA
  std::string name = "Driftless CA";
  int days = 3650;
  Format format = Format::text;
};
ExitCode pki_init(const PkiInitRequest& request);

struct PkiIssueRequest {
  std::string authority;
  std::string site;
  bool server = false;             // also where the name is "server"
  std::vector<std::string> hosts;  // of a server
  std::string out;                 // a folder; AUTHORITY/SITE if empty
  int days = 365;
  bool renew = false;
  Format format = Format::text;
};
ExitCode pki_issue(const PkiIssueRequest& request);

struct PkiListRequest {
  std::string authority;
  Format format = Format::text;
};
ExitCode pki_list(const PkiListRequest& request);

struct PkiRevokeRequest {
  std::string authority;
  std::string site;  // one of the two
  std::string serial;
  Format format = Format::text;
};
ExitCode pki_revoke(const PkiRevokeRequest& request);

struct PkiShowRequest {
  std::string folder;
  Format format = Format::text;
};
ExitCode pki_show(const PkiShowRequest& request);

}  // namespace driftless::app
