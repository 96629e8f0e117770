import type { IncomingMessage, ServerResponse } from 'node:http';

/** Sends a client to another address for good, with the same method and body (RFC 9110 §15.4.9); nothing keeps the answer. */
export function sendElsewhere(request: IncomingMessage, response: ServerResponse, location: string): void {
  closeIfUnread(request, response);
  response.writeHead(308, { location, 'content-length': 0, 'cache-control': 'no-store' });
  response.end();
}

/** The rest of a body that nobody reads would be taken for the next request. HTTP/2 keeps them apart. */
export function closeIfUnread(
  { complete, httpVersionMajor }: IncomingMessage,
  response: ServerResponse,
): void {
  if (!complete && httpVersionMajor === 1) response.setHeader('connection', 'close');
}
