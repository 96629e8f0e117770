import type { IncomingMessage, ServerResponse } from 'node:http';
import { bytesWritten } from '../platform/bytes-written.ts';
import { type Patiences, watchLine } from './patience.ts';

/** Bytes that a client may go on sending to who has answered already. */
const MAX_DROPPED = 32 * 1024 * 1024;

/** Whether a request says that a body follows its head. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Ends a request with its connection, but for HTTP/2, where others share that. */
function cutOff({ httpVersionMajor, socket }: IncomingMessage, response: ServerResponse): void {
  if (httpVersionMajor === 2) response.destroy();
  else socket.destroy();
}

/** Cuts off who is too slow to send a body. Time in which nobody here reads it is not theirs. */
function watchSender(request: IncomingMessage, response: ServerResponse, { senders }: Patiences): void {
  const { socket } = request;
  const stop = watchLine(senders, {
    passed: () => socket.bytesRead,
    isAwaited: () => !request.complete && request.readableLength < request.readableHighWaterMark,
    cut: () => cutOff(request, response),
  });
  request.once('end', stop).once('close', stop);
}

/** Cuts off who is too slow to take an answer; events may come as rarely as they happen. */
function watchReader(request: IncomingMessage, response: ServerResponse, { readers }: Patiences): void {
  const { socket, httpVersionMajor } = request;
  // What waits for the client of an HTTP/2 request, waits in its own stream.
  const waiting = httpVersionMajor === 2 ? response : socket;
  const isEvents = () => String(response.getHeader('content-type')).startsWith('text/event-stream');
  const stop = watchLine(readers, {
    passed: () => bytesWritten(socket) - socket.writableLength,
    isAwaited: () => waiting.writableLength > 0 && !isEvents(),
    cut: () => cutOff(request, response),
  });
  response.once('close', stop);
}

/**
 * Reads on after an answer that came before the end of the body, and drops what it reads: on a connection that is
 * closed with bytes unread, the client may lose the answer.
 */
function dropRest(request: IncomingMessage, response: ServerResponse): void {
  response.once('prefinish', () => {
    if (request.complete) return;
    let dropped = 0;
    request.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > MAX_DROPPED) request.socket.destroy();
    });
    // One read by hand keeps Node from dropping the rest itself, without a bound.
    request.read(0);
    request.resume();
  });
}

/** Bounds how long a client may take over a request's body and over the answer, whatever comes of the request. */
export function boundClient(request: IncomingMessage, response: ServerResponse, patiences: Patiences): void {
  watchReader(request, response, patiences);
  if (!hasBody(request)) return;
  watchSender(request, response, patiences);
  dropRest(request, response);
}
