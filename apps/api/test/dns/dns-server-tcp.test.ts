import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { decode } from 'dns-packet';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { createAnswerLimit } from '../../src/domains/dns/server/answer-limit.ts';
import { openTcp, type TcpLimits } from '../../src/domains/dns/server/tcp.ts';
import { buildZone } from '../../src/domains/dns/server/zone.ts';
import { createZoneSet } from '../../src/domains/dns/server/zone-set.ts';
import { responderFor } from './dns-responder.ts';
import { framed, packetOf, sendTcp } from './dns-world.ts';

const IDLE = 400;
const LIMITS: TcpLimits = { connections: 8, connectionsPerAddress: 4, idle: IDLE };

const closers: (() => Promise<void>)[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const close of closers.splice(0)) await close();
});

/** A server of one zone on a port of its own. */
async function serve(limits: Partial<TcpLimits> = {}): Promise<number> {
  const zones = createZoneSet();
  const records = Array.from({ length: 100 }, (_, i) => ({
    owner: 'big.example.test',
    type: 'A' as const,
    value: `10.0.0.${i}`,
    ttl: 300,
  }));
  zones.put(buildZone({ domain: 'example.test', serial: 1, records }, ['ns1.nephos.test']));
  const port = await freePort();
  const responder = responderFor(zones, { idleTime: IDLE });
  const server = await openTcp(responder, { host: '0.0.0.0', port }, { ...LIMITS, ...limits });
  closers.push(server.close);
  return port;
}

/** From another address of this machine where a test needs several askers. */
async function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function closedAfter(socket: Socket): Promise<number> {
  const begun = performance.now();
  if (!socket.closed) await once(socket.resume(), 'close', { signal: AbortSignal.timeout(10_000) });
  return performance.now() - begun;
}

const QUESTION = framed(packetOf('big.example.test A'));

test('RFC 7766 §6.2.1.1: many questions on one connection are all answered', async () => {
  const port = await serve();
  const packets = Array.from({ length: 500 }, () => packetOf('big.example.test A'));
  const answers = await sendTcp(port, Buffer.concat(packets.map(framed)), packets.length);
  expect(answers.map((answer) => answer.readUInt16BE())).toEqual(
    packets.map((packet) => packet.readUInt16BE()),
  );
  expect(answers.every((answer) => decode(answer).answers?.length === 100)).toBe(true);
});

test('RFC 7766 §8: a question may come octet by octet', async () => {
  const socket = await open(await serve());
  socket.setNoDelay(true);
  const answered = once(socket, 'data');
  for (const octet of QUESTION) {
    socket.write(Buffer.from([octet]));
    await wait(1);
  }
  const [answer] = (await answered) as [Buffer];
  expect(decode(answer.subarray(2)).answers?.length).toBe(100);
});

test('one who sends no more still gets the answers', async () => {
  const socket = await open(await serve());
  socket.end(Buffer.concat([QUESTION, QUESTION]));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const received = Buffer.concat(chunks);
  expect(received.length).toBe(2 * (2 + received.readUInt16BE()));
});

test('what is no question ends the connection: an answer, an empty message, a length that none has', async () => {
  const port = await serve();
  const reply = packetOf('big.example.test A');
  reply.writeUInt16BE(0x8000, 2);
  for (const octets of [framed(reply), Buffer.from([0, 0]), Buffer.from([255, 255, 1])]) {
    const socket = await open(port);
    socket.write(octets);
    expect(await closedAfter(socket)).toBeLessThan(IDLE);
  }
});

test('RFC 7766 §6.2.3: a connection without questions is closed, and so is one whose question never ends', async () => {
  const port = await serve();
  const silent = await open(port);
  const slow = await open(port);
  let at = 0;
  const dripping = setInterval(() => slow.write(QUESTION.subarray(at++ % 4, 1 + (at % 4))), 50);
  const [silentFor, slowFor] = await Promise.all([closedAfter(silent), closedAfter(slow)]);
  clearInterval(dripping);
  for (const ms of [silentFor, slowFor]) {
    expect(ms).toBeGreaterThan(IDLE / 2);
    expect(ms).toBeLessThan(IDLE * 5);
  }
});

test('a connection that goes on asking stays', async () => {
  const socket = await open(await serve());
  for (const end = performance.now() + IDLE * 2.5; performance.now() < end; ) {
    socket.write(QUESTION);
    await once(socket, 'data');
    await wait(IDLE / 8);
  }
  expect(socket.closed).toBe(false);
});

test('one who asks and does not read is cut, and others are answered meanwhile', async () => {
  const port = await serve({ idle: 1500 });
  const greedy = await open(port);
  greedy.pause();
  greedy.write(Buffer.concat(Array.from({ length: 200_000 }, () => QUESTION)));
  expect((await sendTcp(port, QUESTION)).length).toBe(1);
  // Not `once` of node:events, which the reset would end.
  const closing = new Promise((resolve) => greedy.once('close', resolve));
  let waiting = 0;
  // Its own end only sees the reset when it writes.
  const poking = setInterval(() => {
    waiting = greedy.writableLength;
    greedy.write(QUESTION);
  }, 100);
  await closing;
  clearInterval(poking);
  // What the server does not answer of the 8 MB it does not read either.
  expect(waiting).toBeGreaterThan(1_000_000);
});

/** An answer, so that the server has taken the connection and it is the one that asked last. */
async function ask(socket: Socket): Promise<void> {
  socket.write(QUESTION);
  await once(socket, 'data', { signal: AbortSignal.timeout(5000) });
}

test('an address that has all its connections gets a further one, in the place of its idlest', async () => {
  const port = await serve({ idle: 60_000 });
  const other = await open(port, '127.0.0.2');
  await ask(other);
  const held: Socket[] = [];
  for (let i = 0; i < LIMITS.connectionsPerAddress; i += 1) {
    const socket = await open(port);
    await ask(socket);
    held.push(socket);
  }
  const [first, second, ...rest] = held;
  if (!first || !second) throw new Error('no connections');
  // Opened first, but not the one that was idle longest.
  await ask(first);
  const closing = closedAfter(second);
  const next = await open(port);
  await ask(next);
  await closing;
  for (const socket of [other, first, ...rest, next]) await ask(socket);
});

test('where all connections are taken, the one that was idle longest makes room', async () => {
  const port = await serve({ idle: 5000 });
  const held: Socket[] = [];
  for (let i = 0; i < LIMITS.connections; i += 1) {
    const socket = await open(port, `127.0.0.${2 + (i % 4)}`);
    await ask(socket);
    held.push(socket);
  }
  const [first] = held;
  if (!first) throw new Error('no connection');
  const closing = closedAfter(first);
  const next = await open(port, '127.0.0.9');
  await ask(next);
  await closing;
  expect(held.slice(1).some((socket) => socket.closed)).toBe(false);
});

test('one network gets so many full answers a second; other networks and this machine are not counted with it', () => {
  const limit = createAnswerLimit(1);
  const over = (address: string, second: number, count: number) =>
    Array.from({ length: count }, () => limit.isOver(address, second)).filter(Boolean).length;
  expect(over('192.0.2.1', 1, 600) + over('192.0.2.200', 1, 600)).toBe(200);
  expect(over('198.51.100.1', 1, 1000)).toBe(0);
  expect(over('192.0.2.1', 2, 1000)).toBe(0);
  expect(over('2001:db8:1::1', 3, 600) + over('2001:db8:1:ffff::2', 3, 600)).toBe(200);
  expect(over('::ffff:203.0.113.9', 4, 1001)).toBe(1);
  expect(over('127.0.0.1', 5, 5000) + over('::1', 5, 5000) + over('::ffff:127.0.0.1', 5, 5000)).toBe(0);
});
