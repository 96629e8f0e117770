import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hostName } from '../../../../http/request-target.ts';
import { refuseUpgrade } from './app-pages.ts';
import { type Forwarding, responseHeaders } from './proxy-headers.ts';

/**
 * Milliseconds that a side may send nothing for once the other has ended. Many apps never end theirs, and the end of an
 * app that goes later is lost: a firewall forgets half-closed connections within a minute.
 */
const HALF_CLOSED_IDLE = 10_000;

/** Sends an upgrade request (a WebSocket's) on to an app, then bytes both ways until either side ends. */
export function forwardUpgrade(
  request: IncomingMessage,
  client: { socket: Duplex; head: Buffer },
  { origin, forwarding }: { origin: string; forwarding: Forwarding },
): void {
  const { socket, head } = client;
  const url = new URL(origin);
  const upstream = httpRequest({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    path: request.url ?? '/',
    method: request.method ?? 'GET',
    headers: forwarding.requestHeaders(request, { upgrade: true }),
    agent: false,
    setDefaultHeaders: false,
  });
  socket.on('error', () => upstream.destroy());
  socket.once('close', () => upstream.destroy());
  upstream.on('error', () => refuseUpgrade(socket, 502));
  upstream.on('upgrade', (answer, appSocket, appHead) => {
    socket.write(
      statusLines(request, answer, ['Connection', 'Upgrade', 'Upgrade', answer.headers.upgrade ?? '']),
    );
    if (appHead.length > 0) socket.write(appHead);
    if (head.length > 0) appSocket.write(head);
    appSocket.on('error', () => socket.destroy());
    appSocket.once('close', () => socket.destroy());
    socket.once('close', () => appSocket.destroy());
    endAfter(request.socket, appSocket);
    endAfter(appSocket, request.socket);
    appSocket.pipe(socket).pipe(appSocket);
  });
  upstream.on('response', (answer) => {
    socket.write(statusLines(request, answer, ['Connection', 'close']));
    answer.on('error', () => socket.destroy());
    answer.pipe(socket);
  });
  upstream.end();
}

/** Ends a side that stays silent once the other has ended. */
function endAfter(ended: Socket, other: Socket): void {
  ended.once('end', () => other.setTimeout(HALF_CLOSED_IDLE, () => other.destroy()));
}

/** An answer's head, whose body, if any, ends with the connection. */
function statusLines(request: IncomingMessage, answer: IncomingMessage, added: string[]): string {
  const headers = [...responseHeaders(answer.rawHeaders, hostName(request)), ...added];
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
