import { execFileSync } from 'node:child_process';
import { createHash, pbkdf2, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { open, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesWritten } from '../../src/platform/bytes-written.ts';
import { DiskReader } from '../../src/platform/object-store/disk-reader.ts';
import { fileSender } from '../../src/platform/object-store/sendfile.ts';

const MB = 1024 * 1024;
const FILE = randomBytes(24 * MB + 4321);
const folder = mkdtempSync(join(tmpdir(), 'nephos-send-'));
const path = join(folder, 'file');
const other = join(folder, 'other');

/** Connections of the server, by the port of their client. */
const connections = new Map<number, Socket>();
/** Those that are not closed. */
const readers = new Set<DiskReader>();

async function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = url.startsWith('/other') ? other : url.startsWith('/shrinks') ? join(folder, 'shrinks') : path;
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const range = { start: Number(start ?? 0), end: Number(end ?? FILE.length - 1) };
  const reader = new DiskReader(await open(file), headers.range ? range : { start: 0, end: Infinity });
  readers.add(reader);
  reader.on('close', () => readers.delete(reader)).on('error', () => response.destroy());
  response.on('close', () => reader.destroy());
  if (!url.endsWith('chunked')) response.setHeader('content-length', range.end - range.start + 1);
  reader.pipe(response);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.destroy(error));
});
// Whoever ends a connection here, it is not that it lay idle.
server.keepAliveTimeout = 0;
server.on('connection', (socket: Socket) => connections.set(socket.remotePort ?? 0, socket));

/** Answers nothing by itself. */
const held = createServer();

const port = () => (server.address() as AddressInfo).port;
const address = (at = '/') => `http://127.0.0.1:${port()}${at}`;

async function fetched(at = '/', headers = {}): Promise<Buffer> {
  return Buffer.from(await (await fetch(address(at), { headers })).arrayBuffer());
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const descriptors = () => readdirSync('/proc/self/fd').length;

/** A client that has asked and reads nothing until it is told to. */
async function pausedClient(at = '/'): Promise<{ client: Socket; connection: Socket }> {
  const client = connect(port(), '127.0.0.1');
  await once(client, 'connect');
  client.pause();
  client.write(`GET ${at} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await expect.poll(() => connections.get(client.localPort ?? 0)?.writableLength ?? 0).toBeGreaterThan(0);
  return { client, connection: connections.get(client.localPort ?? 0) as Socket };
}

/** Reads until there are `length` bytes, or the connection is over. */
async function read(client: Socket, length: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let arrived = 0;
  for await (const piece of client.iterator({ destroyOnReturn: false })) {
    pieces.push(piece);
    arrived += piece.length;
    if (arrived >= length) break;
  }
  return Buffer.concat(pieces);
}

function bodiesOf(bytes: Buffer, count: number): Buffer[] {
  const bodies: Buffer[] = [];
  for (let at = 0; bodies.length < count; ) {
    const begins = bytes.indexOf('\r\n\r\n', at) + 4;
    at = begins + FILE.length;
    bodies.push(bytes.subarray(begins, at));
  }
  return bodies;
}

beforeAll(async () => {
  await writeFile(path, FILE);
  await writeFile(other, Buffer.alloc(FILE.length, 'another tenant '));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  held.closeAllConnections();
  held.close();
  await rm(folder, { recursive: true });
});

describe.runIf(process.platform === 'linux')('a file of the disk as the answer to a request', () => {
  test('goes past the socket, and is counted all the same', async () => {
    const { client, connection } = await pausedClient();
    const bytes = await read(client, FILE.length + 1);
    const [body] = bodiesOf(bytes, 1);
    expect(body?.equals(FILE)).toBe(true);
    expect(connection.bytesWritten).toBeLessThan(FILE.length);
    await expect.poll(() => bytesWritten(connection)).toBe(bytes.length);
    client.destroy();
  });

  test.each([
    [0, 0],
    [0, FILE.length - 1],
    [1, 128 * 1024],
    [1, 128 * 1024 + 1],
    [4095, 7 * MB + 1],
    [FILE.length - 5 * MB, FILE.length - 1],
    [FILE.length - 1, FILE.length - 1],
  ])('has the bytes from %i to %i', async (start, end) => {
    const part = await fetched('/', { range: `bytes=${start}-${end}` });
    expect(sha256(part)).toBe(sha256(FILE.subarray(start, end + 1)));
  });

  test('has all its bytes where the kernel has only some of them in memory', async () => {
    // What is written lies on the disk, and leaves the memory; then a piece of its middle comes back.
    execFileSync('dd', [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none']);
    const file = await open(path);
    await file.read(Buffer.alloc(MB), 0, MB, 5 * MB);
    await file.close();
    expect(sha256(await fetched('/chunked'))).toBe(sha256(FILE));
  });

  test('is framed in chunks where its length is not told', async () => {
    expect(sha256(await fetched('/chunked'))).toBe(sha256(FILE));
  });

  test('comes twice on one connection, asked for at once', async () => {
    const client = connect(port(), '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    const bodies = bodiesOf(await read(client, Number.POSITIVE_INFINITY), 2);
    expect(bodies.map(sha256)).toEqual([sha256(FILE), sha256(FILE)]);
  });

  test('waits for a client that reads nothing, in little memory', async () => {
    const { client, connection } = await pausedClient();
    expect(connection.writableLength).toBeLessThanOrEqual(65 * 1024);
    const sent = bytesWritten(connection);
    await fetched();
    expect(bytesWritten(connection)).toBe(sent);
    expect(bodiesOf(await read(client, FILE.length + 1), 1)[0]?.equals(FILE)).toBe(true);
    client.destroy();
  });

  test('ends the connection where the file has become shorter than was told', async () => {
    await writeFile(join(folder, 'shrinks'), FILE);
    const { client } = await pausedClient('/shrinks');
    await truncate(join(folder, 'shrinks'), 20 * MB);
    const bytes = await read(client, Number.POSITIVE_INFINITY).catch((error: Error) => error);
    // A reset may take with it what was on its way.
    if (bytes instanceof Buffer) expect(bytes.length).toBeLessThan(21 * MB);
    expect(client.destroyed || client.readableEnded).toBe(true);
  }, 15_000);

  test('reaches nobody else where its connection is closed before a thread is free to send', async () => {
    const asked = new Promise<ServerResponse>((resolve) => {
      held.once('request', (_request, response) => resolve(response));
    });
    const arrived: Buffer[] = [];
    const listen = (socket: Socket) => socket.on('data', (piece: Buffer) => arrived.push(piece));
    held.listen(0, '127.0.0.1');
    await once(held, 'listening');
    const heldPort = (held.address() as AddressInfo).port;
    const client = connect(heldPort, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const response = await asked;
    response.setHeader('content-length', FILE.length);
    const sender = await fileSender(response);
    const file = await open(path);
    const threads = Array.from({ length: 32 }, () => promisify(pbkdf2)('a', 'b', 300_000, 32, 'sha512'));
    const sending = sender?.send(file.fd, 0, MB);
    response.socket?.destroy();
    client.destroy();
    await once(client, 'close');
    held.on('connection', listen);
    const others = Array.from({ length: 8 }, () => listen(connect(heldPort, '127.0.0.1')));
    await Promise.all([...others.map((socket) => once(socket, 'connect')), ...threads]);
    await sending;
    await fetched();
    expect(arrived).toEqual([]);
    for (const socket of others) socket.destroy();
    await file.close();
  });

  test('of those that are cut off while others begin, nothing reaches another, and no descriptor is left', async () => {
    await fetched();
    await expect.poll(() => readers.size).toBe(0);
    const before = descriptors();
    let [cut, going] = [0, true];
    const cutting = Array.from({ length: 4 }, async () => {
      while (going) {
        const client = connect(port(), '127.0.0.1');
        client.on('error', () => {});
        client.write('GET /other HTTP/1.1\r\nhost: x\r\n\r\n');
        await once(client, 'data');
        // The server's own end too: its descriptor is free for the next connection at once.
        if (cut % 2 === 0) connections.get(client.localPort ?? 0)?.destroy();
        client.destroy();
        cut += 1;
      }
    });
    const hashes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const bodies = await Promise.all([fetched('/', { connection: 'close' }), fetched()]);
      for (const body of bodies) hashes.add(sha256(body));
    }
    going = false;
    await Promise.all(cutting);
    expect(cut).toBeGreaterThan(12);
    expect([...hashes]).toEqual([sha256(FILE)]);
    await expect.poll(() => readers.size).toBe(0);
    await expect.poll(descriptors).toBeLessThanOrEqual(before + 4);
  });
});
