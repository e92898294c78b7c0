#include "frontend/vtest/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "frontend/vtest/caps.h"

namespace tessera::vtest {
namespace {

constexpr uint32_t kProtocolVersion = 2;
constexpr uint32_t kLongestName_bytes = 4096, kLongestSubmission_words = 1u << 20;

// The payload that a request has; its header may promise more, which is dropped.
struct Shape { uint32_t words; bool has_lying_length; };
constexpr std::array<std::optional<Shape>, 15> kFixedRequests = [] {
  std::array<std::optional<Shape>, 15> shapes{};
  shapes[1] = shapes[9] = shapes[10] = Shape{0, false};   // caps, ping
  shapes[3] = shapes[11] = Shape{1, false};               // unref, version
  shapes[7] = Shape{2, false};                            // busy wait
  shapes[12] = Shape{11, false};                          // create
  shapes[13] = Shape{10, false};                          // get
  shapes[14] = Shape{10, true};                           // put: its length counts data that do not follow
  return shapes;
}();

}  // namespace

Connection::Connection(Socket& socket, std::unique_ptr<Device> device, const SessionLimits& limits, Log& log,
             Observer* observer)
    : socket_(socket), log_(log), session_(std::move(device), limits, log, observer), stream_(session_) {}

void Connection::serve() {
  while (serve_one()) {
  }
}

bool Connection::read_words(std::span<uint32_t> words) { return socket_.read(std::as_writable_bytes(words)); }

bool Connection::write_words(std::initializer_list<uint32_t> words) {
  return socket_.write(std::as_bytes(std::span(words.begin(), words.size())));
}

void Connection::note(const char* request, const Status& status) {
  if (!status) log_.write_once(fmt::format("{}: {}", request, status.diags().front().text));
}

bool Connection::serve_one() {
  uint32_t header[2];
  if (!read_words(header)) return false;
  const auto [length, id] = header;
  const auto request = static_cast<Request>(id);
  if (request == Request::CreateRenderer) return name_client(length);
  if (request == Request::SubmitCommands) return submit(length);
  if (id >= kFixedRequests.size() || !kFixedRequests[id]) {
    log_.write(fmt::format("request {} does not exist: the connection ends", id));
    return false;
  }
  const Shape shape = *kFixedRequests[id];
  if (length < shape.words) {
    log_.write(fmt::format("request {}: expected {} words, found {}: the connection ends", id, shape.words, length));
    return false;
  }
  words_.resize(shape.words);
  if (!read_words(words_)) return false;
  if (!shape.has_lying_length && !socket_.skip(uint64_t{length - shape.words} * sizeof(uint32_t))) return false;
  return run(request, length);
}

bool Connection::run(Request request, uint32_t length) {
  switch (request) {
    case Request::GetCaps: return reply_caps(kCapsV1Bytes, 1);
    case Request::GetCaps2: return reply_caps(sizeof(Caps), 2);
    case Request::ResourceUnref: session_.resources.remove(words_[0]); return true;
    // Every request is carried out before the next is read: nothing is ever busy.
    case Request::ResourceBusyWait: return write_words({1, static_cast<uint32_t>(Request::ResourceBusyWait), 0});
    case Request::PingProtocolVersion: return write_words({0, static_cast<uint32_t>(Request::PingProtocolVersion)});
    case Request::ProtocolVersion:
      return write_words({1, static_cast<uint32_t>(Request::ProtocolVersion), std::min(words_[0], kProtocolVersion)});
    case Request::ResourceCreate2: return create_resource();
    case Request::TransferGet2:
      note("TRANSFER_GET2", session_.transfer(Words(words_), Direction::FromResource));
      return true;
    case Request::TransferPut2:
      note("TRANSFER_PUT2", session_.transfer(Words(words_), Direction::ToResource));
      return true;
    default: log_.write(fmt::format("request of {} words: the connection ends", length)); return false;
  }
}

bool Connection::name_client(uint32_t length_bytes) {
  if (length_bytes > kLongestName_bytes) return false;
  std::string name(length_bytes, '\0');
  if (!socket_.read(std::as_writable_bytes(std::span(name)))) return false;
  log_.name_client(std::string_view(name).substr(0, name.find('\0')));
  return true;
}

bool Connection::submit(uint32_t length) {
  if (length > kLongestSubmission_words) {
    log_.write(fmt::format("a submission of {} words is too long: the connection ends", length));
    return false;
  }
  words_.resize(length);
  if (!read_words(words_)) return false;
  stream_.run(words_);
  return true;
}

bool Connection::create_resource() {
  const ClientResourceRef resource = session_.resources.create(*session_.device, Words(words_), log_);
  if (words_[10] == 0) return true;
  if (resource->area.descriptor() < 0) {
    // The client waits for a descriptor and maps all of it without asking.
    const Result<SharedMemory> own_alone = SharedMemory::create_unmapped(words_[10]);
    return own_alone && socket_.write_descriptor(own_alone->descriptor());
  }
  const bool is_sent = socket_.write_descriptor(resource->area.descriptor());
  resource->area.close_descriptor();
  return is_sent;
}

bool Connection::reply_caps(size_t bytes, uint32_t id) {
  const Caps caps = make_caps();
  return write_words({static_cast<uint32_t>(bytes + 1), id}) &&
         socket_.write(std::as_bytes(std::span(&caps, 1)).first(bytes));
}

}  // namespace tessera::vtest
