// What an exchange between a server and its sites costs on this machine, beside the same bytes over bare TCP.
//
//   bench_grpc_exchange [SITES [D [REPEATS]]]
//   bench_grpc_exchange --masked [SITES [D [REPEATS]]]
//
// With --masked: what the masks of secure sums add to an exchange with TLS, and where a site may be lost.
//
// Sites are threads of this process, each with one client; all connections are loopback. Bare TCP: every site sends its
// row, a server that has read all of them adds and sends the total back. The three take turns, and the least time
// counts, so that what else runs on the machine disturbs little.
#include "driftless/federation/shared_facts.hpp"
#include "driftless/network/grpc/grpc_server.hpp"
#include "driftless/network/grpc/grpc_site.hpp"
#include "driftless/network/hub/hub_transport.hpp"
#include "driftless/pki/certificate_authority.hpp"
#include "driftless/pki/tls_folder.hpp"

#include <arpa/inet.h>
#include <barrier>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <numeric>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace driftless {
namespace {

using Clock = std::chrono::steady_clock;

double least_seconds(std::size_t repeats, const std::function<void()>& work) {
  double least = 1e300;
  for (std::size_t k = 0; k < repeats; ++k) {
    const auto start = Clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return least;
}

void transfer(int socket, char* bytes, std::size_t size, bool sends) {
  while (size > 0) {
    const ssize_t done = sends ? ::send(socket, bytes, size, MSG_NOSIGNAL) : ::recv(socket, bytes, size, 0);
    if (done <= 0) throw std::runtime_error("a connection on this machine broke");
    bytes += done;
    size -= static_cast<std::size_t>(done);
  }
}
void send_row(int socket, std::vector<double>& row) {
  transfer(socket, reinterpret_cast<char*>(row.data()), row.size() * sizeof(double), true);
}
void receive_row(int socket, std::vector<double>& row) {
  transfer(socket, reinterpret_cast<char*>(row.data()), row.size() * sizeof(double), false);
}

// Two ends of a connection over loopback.
std::pair<int, int> connected_pair() {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(listener, reinterpret_cast<sockaddr*>(&address), size);
  ::listen(listener, 1);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  const int one = ::socket(AF_INET, SOCK_STREAM, 0);
  ::connect(one, reinterpret_cast<sockaddr*>(&address), size);
  const int other = ::accept(listener, nullptr, nullptr);
  ::close(listener);
  const int yes = 1;
  for (const int end : {one, other}) ::setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return {one, other};
}

double bare_tcp(std::size_t sites, std::size_t d, std::size_t repeats) {
  std::vector<std::pair<int, int>> lines;
  for (std::size_t s = 0; s < sites; ++s) lines.push_back(connected_pair());
  std::vector<std::thread> threads;
  for (std::size_t s = 0; s < sites; ++s)
    threads.emplace_back([&, s] {
      std::vector<double> row(d, 1.0), total(d);
      for (std::size_t k = 0; k < repeats; ++k) {
        send_row(lines[s].first, row);
        receive_row(lines[s].first, total);
      }
    });
  std::vector<double> total(d), row(d);
  const double least = least_seconds(repeats, [&] {
    std::fill(total.begin(), total.end(), 0.0);
    for (const auto& line : lines) {
      receive_row(line.second, row);
      for (std::size_t i = 0; i < d; ++i) total[i] += row[i];
    }
    for (const auto& line : lines) send_row(line.second, total);
  });
  for (std::thread& thread : threads) thread.join();
  for (const auto& [one, other] : lines) {
    ::close(one);
    ::close(other);
  }
  return least;
}

std::string site_name(std::size_t s) { return "site-" + std::to_string(s); }

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("driftless-bench-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::optional<TlsTexts> texts(const Folder& folder, const std::string& peer, bool tls) {
  if (!tls) return std::nullopt;
  const TlsFiles files = read_tls_folder(folder / ("ca/" + peer));
  return TlsTexts{files.certificate, files.key, files.authority};
}

// What the sites do with their rows.
enum class Rows { plain, tls, integers, masked, masked_with_losses };

struct Measured {
  double seconds = 0.0;
  double bytes = 0.0;  // of one exchange, in both directions
};

SecureSumOptions masks_of(const Folder& folder, std::size_t sites, std::size_t own, bool may_lose) {
  SecureSumOptions options{.run = "bench", .sites = {}, .own = own, .threshold = may_lose ? sites / 2 + 1 : 0};
  for (std::size_t s = 0; s < sites; ++s) options.sites.push_back(site_name(s));
  options.folder = folder / ("masks-" + site_name(own));
  std::filesystem::remove_all(options.folder);
  std::filesystem::create_directories(options.folder);
  return options;
}

Measured over_grpc(const Folder& folder, Rows rows, std::size_t sites, std::size_t d, std::size_t repeats) {
  const bool tls = rows != Rows::plain, may_lose = rows == Rows::masked_with_losses;
  const bool masked = rows == Rows::masked || may_lose, integers = masked || rows == Rows::integers;
  std::filesystem::remove_all(folder / "journal");
  Journal journal(folder / "journal", {});
  std::vector<SiteSlot> slots;
  std::vector<std::string> names;
  std::vector<std::vector<ClientId>> hosted;
  for (std::size_t s = 0; s < sites; ++s) {
    slots.push_back({site_name(s), {s}});
    names.push_back(site_name(s));
    hosted.push_back({s});
  }
  KeyBoard keys(names, {});
  Hub hub(sites, slots, journal,
          {.first_wait = 120.0, .keys = &keys, .unmask_threshold = may_lose ? sites / 2 + 1 : 0});
  const GrpcServer server(hub, {.address = "127.0.0.1:0",
                                .tls = texts(folder, "server", tls),
                                .version = "bench",
                                .run = "bench",
                                .configuration = "",
                                .configuration_digest = "",
                                .keys = &keys});
  const std::string address = "127.0.0.1:" + std::to_string(server.port());
  std::vector<ClientId> everyone(sites);
  std::iota(everyone.begin(), everyone.end(), ClientId{0});
  std::vector<std::thread> threads;
  for (std::size_t s = 0; s < sites; ++s)
    threads.emplace_back([&, s] {
      GrpcSite site({.address = address,
                     .tls = texts(folder, site_name(s), tls),
                     .version = "bench",
                     .site = site_name(s),
                     .first_contact = 120.0});
      site.accept(site.query_offer(), "");
      if (masked) site.mask_rows(masks_of(folder, sites, s, may_lose), hosted, 1);
      std::vector<double> row(d), total(d);
      for (std::size_t k = 0; k < d; ++k) row[k] = 1.0 / static_cast<double>(1 + (k + s) % 97);
      const std::span<const double> mine = row;
      const Node node{{s, s + 1}, row};
      for (std::size_t k = 0; k < repeats; ++k) {
        if (integers) sum_by_integers({&mine, 1}, {d}, total, site);
        else site.sum(everyone, {&node, 1}, total);
      }
      site.finish();
    });
  HubTransport own(hub);
  std::vector<double> total(d);
  const double least = least_seconds(repeats, [&] {
    if (integers) sum_by_integers({}, {d}, total, own);
    else own.sum(everyone, {}, total);
  });
  for (std::thread& thread : threads) thread.join();
  Measured measured{.seconds = least};
  for (const SiteStatus& site : hub.status().sites)
    measured.bytes += static_cast<double>(site.bytes_received + site.bytes_sent) / static_cast<double>(repeats);
  return measured;
}

// Keys are agreed on with the first exchange, which is not the least.
void compare_masks(const Folder& folder, std::size_t sites, std::size_t d, std::size_t repeats) {
  const Measured tls = over_grpc(folder, Rows::tls, sites, d, repeats);
  const Measured integers = over_grpc(folder, Rows::integers, sites, d, repeats);
  const Measured masked = over_grpc(folder, Rows::masked, sites, d, repeats);
  const Measured losses = over_grpc(folder, Rows::masked_with_losses, sites, d, repeats);
  fmt::print("| {} | {} | {:.3g} | {:.3g} | {:.3g} | {:.3g} | {:.2f} | {:.2f} | {:.3f} |\n", sites, d,
             1e3 * tls.seconds, 1e3 * integers.seconds, 1e3 * masked.seconds, 1e3 * losses.seconds,
             masked.seconds / tls.seconds, losses.seconds / tls.seconds, losses.bytes / tls.bytes);
}

void compare(const Folder& folder, std::size_t sites, std::size_t d, std::size_t repeats) {
  const double tcp = bare_tcp(sites, d, repeats);
  const double plain = over_grpc(folder, Rows::plain, sites, d, repeats).seconds;
  const double tls = over_grpc(folder, Rows::tls, sites, d, repeats).seconds;
  fmt::print("| {} | {} | {:.3g} | {:.3g} | {:.3g} | {:.1f} | {:.1f} |\n", sites, d, 1e3 * tcp, 1e3 * plain, 1e3 * tls,
             plain / tcp, tls / tcp);
}

}  // namespace
}  // namespace driftless

int main(int count, char** arguments) {
  const bool masked = count > 1 && std::string_view(arguments[1]) == "--masked";
  if (masked) {
    ++arguments;
    --count;
  }
  const std::size_t sites = count > 1 ? std::stoul(arguments[1]) : masked ? 10 : 3;
  const driftless::Folder folder;
  driftless::create_authority({.folder = folder / "ca"});
  driftless::issue_certificate(
      {.folder = folder / "ca", .subject = {.name = "server", .kind = driftless::SubjectKind::server}});
  for (std::size_t s = 0; s < sites; ++s)
    driftless::issue_certificate({.folder = folder / "ca", .subject = {.name = driftless::site_name(s)}});
  fmt::print("{}", masked ? "| sites | d | TLS, ms | integers, ms | masked, ms | sites may be lost, ms | masked/TLS | "
                            "may be lost/TLS | bytes |\n|---|---|---|---|---|---|---|---|---|\n"
                          : "| sites | d | bare TCP, ms | gRPC, ms | gRPC with TLS, ms | ratio | ratio with TLS "
                            "|\n|---|---|---|---|---|---|---|\n");
  std::vector<std::size_t> lengths{1'000, 100'000, 1'000'000};
  if (count > 2) lengths = {std::stoul(arguments[2])};
  for (const std::size_t d : lengths) {
    const std::size_t repeats = count > 3 ? std::stoul(arguments[3]) : std::clamp<std::size_t>(5'000'000 / d, 10, 300);
    if (masked) driftless::compare_masks(folder, sites, d, repeats);
    else driftless::compare(folder, sites, d, repeats);
  }
  return 0;
}
