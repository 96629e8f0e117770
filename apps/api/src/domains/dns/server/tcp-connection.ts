import type { Socket } from 'node:net';
import type { Asker, Responder } from './responder.ts';

/** One asker's connection: questions behind each other, each answered as it comes (RFC 7766 §6.2.1.1). */
export interface TcpConnection {
  /** When it last asked or took an answer, in milliseconds of `performance.now`. */
  activeAt(): number;
  close(): void;
}

const LENGTH_BYTES = 2;
/** Octets of a question with every option in use; a longer one is no question. */
const MAX_QUESTION = 4096;
/** Octets of answers that an asker may leave unread before its questions have to wait. */
const MAX_UNREAD = 128 * 1024;
/** The address of one who is gone already. */
const UNKNOWN = '0.0.0.0';

/** A message behind its length, RFC 1035 §4.2.2. */
function frame(message: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(LENGTH_BYTES + message.length);
  framed.writeUInt16BE(message.length);
  message.copy(framed, LENGTH_BYTES);
  return framed;
}

export function serveTcpConnection(socket: Socket, responder: Responder): TcpConnection {
  let received: Buffer = Buffer.alloc(0);
  let activeAt = performance.now();
  /** What is left of an answer of many messages: the next question waits for its end. */
  let rest: Iterator<Buffer> | undefined;
  let asksNoMore = false;
  const asker: Asker = {
    transport: 'tcp',
    address: socket.remoteAddress ?? UNKNOWN,
    sendMore: (messages) => {
      rest = messages;
    },
  };

  function sendRest(messages: Iterator<Buffer>): boolean {
    const { value, done } = messages.next();
    if (!done) socket.write(frame(value));
    else rest = undefined;
    return true;
  }

  /** Answers the next question if all of it is there; whether it was. */
  function answerNext(): boolean {
    if (received.length < LENGTH_BYTES) return false;
    const length = received.readUInt16BE();
    if (length > MAX_QUESTION) {
      socket.destroy();
      return false;
    }
    if (received.length < LENGTH_BYTES + length) return false;
    const answer = responder.respond(received.subarray(LENGTH_BYTES, LENGTH_BYTES + length), asker);
    received = received.subarray(LENGTH_BYTES + length);
    activeAt = performance.now();
    if (answer) socket.write(frame(answer));
    else socket.destroy();
    return answer !== undefined;
  }

  function answerAll(): void {
    socket.cork();
    try {
      while (socket.writableLength < MAX_UNREAD && (rest ? sendRest(rest) : answerNext()));
    } catch {
      // Half a transfer is none.
      socket.destroy();
    }
    socket.uncork();
    if (asksNoMore && !rest) socket.end();
    if (socket.writableLength >= MAX_UNREAD) socket.pause();
  }

  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    answerAll();
  });
  socket.on('drain', () => {
    activeAt = performance.now();
    socket.resume();
    answerAll();
  });
  socket.on('end', () => {
    asksNoMore = true;
    if (!rest) socket.end();
  });
  socket.on('error', () => socket.destroy());

  return { activeAt: () => activeAt, close: () => socket.destroy() };
}
