// Uploads.
#include <fmt/format.h>

#include "frontend/vtest/command_stream.h"

namespace tessera::vtest {

Status CommandStream::transfer(Words d) {
  const Result<ClientResourceRef> resource = session_.resources.find(d[1]);
  if (!resource) return resource.diags();
  const Result<Box> box = read_box(d.from(6), **resource, d[2]);
  if (!box) return box.diags();
  const Result<AreaRows> rows = find_rows((*resource)->area, d[12], d[4], d[5], (*resource)->desc, d[2], *box);
  if (!rows) return rows.diags();
  return copy_box(session_.context, **resource, d[2], *box, *rows,
                  d[13] == 2 ? Direction::FromResource : Direction::ToResource);
}

Status CommandStream::copy_transfer(Words d) {
  const Result<ClientResourceRef> resource = session_.resources.find(d[1]);
  if (!resource) return resource.diags();
  const Result<ClientResourceRef> staging = session_.resources.find(d[12]);
  if (!staging) return staging.diags();
  const Result<Box> box = read_box(d.from(6), **resource, d[2]);
  if (!box) return box.diags();
  const Result<AreaRows> rows = find_rows((*staging)->area, d[13], d[4], d[5], (*resource)->desc, d[2], *box);
  if (!rows) return rows.diags();
  return copy_box(session_.context, **resource, d[2], *box, *rows, Direction::ToResource);
}

Status CommandStream::inline_write(Words d) {
  const Result<ClientResourceRef> resource = session_.resources.find(d[1]);
  if (!resource) return resource.diags();
  const Result<Box> box = read_box(d.from(6), **resource, d[2]);
  if (!box) return box.diags();
  if (!(*resource)->is_buffer()) return error("resource: expected a buffer");
  const std::span<const std::byte> bytes = std::as_bytes(d.from(12).span());
  if (bytes.size() < box->width) return error(fmt::format("data: expected {} bytes, found {}", box->width, bytes.size()));
  ++(*resource)->writes;
  return session_.context.write_buffer((*resource)->resource, box->x, bytes.first(box->width));
}

}  // namespace tessera::vtest
