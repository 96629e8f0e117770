import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { streamBody } from './read-body.ts';

const IDLE_MS = 30_000;

const app = Fastify();
/** `piece` with each piece of a body as text, and `end` with what its reading ended by. */
const heard = new EventEmitter<{ piece: [string]; end: [unknown] }>();

beforeEach(() => {
  // Those of the reader alone: what sockets wait for is timed by Node itself.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

test('a client that sends nothing for 30 seconds is cut off, counted from its last piece', async () => {
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.put('/', async (request) => {
    try {
      for await (const piece of streamBody(request)) heard.emit('piece', Buffer.from(piece).toString());
      heard.emit('end', undefined);
    } catch (error) {
      heard.emit('end', error);
    }
    return '';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const closed = once(socket, 'close');
  const head = ['PUT / HTTP/1.1', 'host: localhost', 'content-type: any/thing', 'content-length: 100'];
  let sent = `${head.join('\r\n')}\r\n\r\n`;
  for (const piece of ['one', 'two', 'three']) {
    const arrives = once(heard, 'piece');
    socket.write(sent + piece);
    expect(await arrives).toEqual([piece]);
    // As the reader turns to the next piece, which it does once it has let this one go.
    await new Promise(setImmediate);
    vi.advanceTimersByTime(IDLE_MS - 1);
    sent = '';
  }
  const ended = once(heard, 'end');
  vi.advanceTimersByTime(1);
  expect(await ended).toEqual([new Error('The client stopped sending.')]);
  await closed;
});
