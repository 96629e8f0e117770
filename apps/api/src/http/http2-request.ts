import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { readTarget } from './request-target.ts';

/**
 * Gives a request of HTTP/2 the words of HTTP/1.1, as everything that answers reads them (RFC 9113 §8.3): `Host`, one
 * `Cookie`, `Transfer-Encoding` for a body of unknown length, no pseudo-header fields, and the connection itself as its
 * socket. Its answer tells whether it is `destroyed`, and whether it is whole, as one of HTTP/1.1 does. False for a request
 * to refuse, as `readTarget` has it.
 */
export function readHttp2Request(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  socket: TLSSocket,
): boolean {
  const { headers, rawHeaders, stream } = request;
  const { ':method': method, ':path': url, ':authority': authority = headers.host ?? '', cookie } = headers;
  // Node's own are read from the fields that are taken away here.
  Object.defineProperties(request, { method: { value: method }, url: { value: url, writable: true } });
  for (const name of Object.keys(headers)) if (name.startsWith(':')) delete headers[name];
  const kept = fieldsOf(rawHeaders);
  headers.host = authority;
  kept.push('Host', authority);
  if (cookie !== undefined) kept.push('Cookie', cookie);
  if (!stream.endAfterHeaders && headers['content-length'] === undefined) {
    headers['transfer-encoding'] = 'chunked';
  }
  rawHeaders.splice(0, rawHeaders.length, ...kept);
  // HTTP/2's own stand for the connection throws once that is gone, just when bytes are counted.
  for (const half of [request, response]) Object.defineProperty(half, 'socket', { value: socket });
  Object.defineProperty(response, 'destroyed', { get: () => stream.destroyed });
  // A client that leaves ends the stream as well.
  const isFinished = () => response.writableEnded && stream.writableFinished;
  Object.defineProperty(response, 'writableFinished', { get: isFinished });
  // An answer that comes before the end of the body ends the request (RFC 9113 §8.1).
  response.once('finish', () => {
    if (!request.complete) stream.close(constants.NGHTTP2_NO_ERROR);
  });
  return readTarget(request);
}

/** Raw headers without the pseudo-header fields, and those that are said anew. */
function fieldsOf(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (name.startsWith(':') || name === 'host' || name === 'cookie') continue;
    kept.push(name, value);
  }
  return kept;
}
