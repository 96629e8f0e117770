import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Patiences, watchLine } from './patience.ts';

/** Bytes that a client may go on sending to who has answered already. */
const MAX_DROPPED = 32 * 1024 * 1024;

/** Whether a request says that a body follows its head. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Cuts off who is too slow to send a body. Time in which nobody here reads it is not theirs. */
function watchSender(request: IncomingMessage, { senders }: Patiences): void {
  const { socket } = request;
  const stop = watchLine(senders, {
    passed: () => socket.bytesRead,
    isAwaited: () => !request.complete && request.readableLength < request.readableHighWaterMark,
    cut: () => socket.destroy(),
  });
  request.once('end', stop).once('close', stop);
}

/** Cuts off who is too slow to take an answer; events may come as rarely as they happen. */
function watchReader(request: IncomingMessage, response: ServerResponse, { readers }: Patiences): void {
  const { socket } = request;
  const isEvents = () => String(response.getHeader('content-type')).startsWith('text/event-stream');
  const stop = watchLine(readers, {
    passed: () => socket.bytesWritten - socket.writableLength,
    isAwaited: () => socket.writableLength > 0 && !isEvents(),
    cut: () => socket.destroy(),
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
  watchSender(request, patiences);
  dropRest(request, response);
}
