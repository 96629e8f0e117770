import type { ServerResponse } from 'node:http';

/**
 * How long a client's connection may lie idle. Longer than what other proxies keep theirs in front of us, and than any
 * pause of a client in use: who sends a request just as its connection is closed loses it, and can't know whether it was
 * read (RFC 9112 §9.6). `Keep-Alive` goes on to promise less, so whoever heeds that is never late.
 */
const IDLE_MS = 75_000;

/** Keeps the client's connection after this answer for longer than the server keeps those of the console. */
export function keepConnection(response: ServerResponse, idle = IDLE_MS): void {
  const { socket } = response.req;
  response.once('finish', () => {
    // Only where Node has just set its own time, which it takes back at the next request.
    if (socket.timeout) socket.setTimeout(idle);
  });
}
