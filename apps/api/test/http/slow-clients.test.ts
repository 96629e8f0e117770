import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createConsoleServer } from '../../src/http/console-server.ts';
import type { Patiences } from '../../src/http/patience.ts';
import { createWorld } from '../world.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** So short that what takes half a minute elsewhere is seen at once. */
const SHORT: Patiences = {
  senders: { first: 300, most: 300, bytesPerSecond: 32 * KIB },
  readers: { first: 300, most: 300, bytesPerSecond: 16 * KIB },
};

let server: Server | undefined;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.close();
  server = undefined;
});

async function listen(answer: RequestListener, patiences = SHORT): Promise<number> {
  server = createConsoleServer(ENGINE, answer, { patiences }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const ENGINE = { ownsHost: () => false, serve: () => {}, upgrade: () => {} };

async function open(port: number, ...lines: string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write([...lines, 'host: localhost', '', ''].join('\r\n'));
  return socket;
}

const post = (port: number, length: number) => open(port, 'POST / HTTP/1.1', `content-length: ${length}`);

/** Writes `piece` every 50 milliseconds while the connection lasts. */
function drip(socket: Socket, piece: Buffer): void {
  const timer = setInterval(() => socket.write(piece), 50);
  socket.once('close', () => clearInterval(timer));
}

/** Resolves once the server has hung up; what it says first is dropped. */
async function closed(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

const readAll: RequestListener = (request, response) => {
  request.on('error', () => {});
  request.resume().once('end', () => response.setHeader('connection', 'close').end('all'));
};

test('who leaves while it is looked up whether an authority asks is not served any more', async () => {
  const looked = Promise.withResolvers<boolean>();
  const served: string[] = [];
  const gone = Promise.withResolvers<void>();
  const challenges = {
    isAsked: ({ url }: IncomingMessage) => url === '/challenge',
    answer(_request: IncomingMessage, response: ServerResponse) {
      response.once('close', gone.resolve);
      return looked.promise;
    },
  };
  const answer: RequestListener = ({ url = '' }, response) => {
    served.push(url);
    response.setHeader('connection', 'close').end();
  };
  server = createConsoleServer(ENGINE, answer, { challenges }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const leaving = await open(port, 'GET /challenge HTTP/1.1');
  const staying = await open(port, 'GET /challenge HTTP/1.1');
  leaving.resetAndDestroy();
  await gone.promise;
  looked.resolve(false);
  await closed(staying);
  expect(served).toEqual(['/challenge']);
});

describe('who sends a body', () => {
  test('slowly is cut', async () => {
    const socket = await post(await listen(readAll), MIB);
    drip(socket, Buffer.alloc(10));
    await closed(socket);
  });

  test('fast at first and slowly then is cut: no credit lasts', async () => {
    const socket = await post(await listen(readAll), 8 * MIB);
    socket.write(Buffer.alloc(6 * MIB));
    drip(socket, Buffer.alloc(10));
    await closed(socket);
  });

  test('slowly after the answer came is cut, too', async () => {
    const socket = await post(await listen((_request, response) => response.writeHead(401).end()), MIB);
    await once(socket, 'data');
    drip(socket, Buffer.alloc(10));
    await closed(socket);
  });

  test('at 64 KiB a second gets their answer, however long it takes', async () => {
    const [piece, size] = [Buffer.alloc(3200), 128_000];
    const socket = await post(await listen(readAll), size);
    let sent = 0;
    const flow = setInterval(() => {
      socket.write(piece);
      sent += piece.length;
      if (sent >= size) clearInterval(flow);
    }, 50);
    expect(await answerOf(socket)).toContain('all');
  });

  test('is not cut while it is the server that does not read', async () => {
    const port = await listen((request, response) => {
      // Longer than all the patience; nothing else tells that it is over.
      setTimeout(() => readAll(request, response), 900);
    });
    const socket = await post(port, 8 * MIB);
    socket.write(Buffer.alloc(8 * MIB));
    expect(await answerOf(socket)).toContain('all');
  });

  test('without end after the answer came is cut, however fast', async () => {
    const port = await listen((_request, response) => response.writeHead(413).end('too large'));
    const socket = await post(port, 1024 * MIB);
    const piece = Buffer.alloc(MIB);
    let taken = 0;
    const feed = () => {
      while (socket.writable && socket.write(piece)) taken += 1;
      taken += 1;
    };
    socket.on('drain', feed);
    feed();
    await closed(socket);
    expect(taken).toBeGreaterThan(31);
    expect(taken).toBeLessThan(64);
  });
});

describe('who reads an answer', () => {
  const endless: RequestListener = (_request, response) => {
    const piece = Buffer.alloc(MIB);
    const more = () => {
      while (response.write(piece));
    };
    response.on('drain', more);
    more();
  };

  test('not at all is cut', async () => {
    const done = Promise.withResolvers<void>();
    const port = await listen((request, response) => {
      response.once('close', done.resolve);
      endless(request, response);
    });
    (await open(port, 'GET / HTTP/1.1')).pause();
    await done.promise;
  });

  test('is not cut while the server has nothing to say', async () => {
    const port = await listen((_request, response) => {
      response.setHeader('connection', 'close').write('some');
      setTimeout(() => response.end(' more'), 900);
    });
    expect(await answerOf(await open(port, 'GET / HTTP/1.1'))).toContain('more');
  });

  test('events slowly is not cut here', async () => {
    const port = await listen((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      endless(request, response);
    });
    const socket = await open(port, 'GET / HTTP/1.1');
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 900));
    const more = once(socket, 'data');
    socket.resume();
    await more;
    expect(socket.closed).toBe(false);
  });
});

test('every door of the console cuts who is slow, signed in or not', async () => {
  const world = await createWorld({ overrides: { patiences: SHORT } });
  try {
    const ada = await world.as('Ada');
    const doors = [
      ['POST /api/storage/upload?fileName=x HTTP/1.1', 'content-type: a/b', `cookie: ${ada.cookie}`],
      ['POST /api/storage/upload?fileName=x HTTP/1.1', 'content-type: a/b'],
      ['POST /api/projects HTTP/1.1', 'content-type: application/json'],
      ['POST /trpc/storage.create HTTP/1.1', 'content-type: application/json'],
      ['POST /v2/ada/app/blobs/uploads/ HTTP/1.1'],
      ['PATCH /v2/%zz HTTP/1.1'],
      ['POST /nowhere HTTP/1.1'],
    ];
    const port = Number(new URL(world.url).port);
    const slow = await Promise.all(doors.map((lines) => open(port, ...lines, 'content-length: 60000')));
    for (const socket of slow) drip(socket, Buffer.alloc(1));
    await Promise.all(slow.map(closed));
  } finally {
    await world.close();
  }
});
