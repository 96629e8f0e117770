import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { openTcp, TCP_LIMITS, type TcpServer } from '../../src/domains/dns/server/tcp.ts';
import { createTransferSources } from '../../src/domains/dns/server/transfer/transfer-sources.ts';
import { buildZone } from '../../src/domains/dns/server/zone.ts';
import { createZoneSet } from '../../src/domains/dns/server/zone-set.ts';
import { responderFor } from './dns-responder.ts';
import { framed, packetOf } from './dns-world.ts';
import { answersOf, assertSigned, signed } from './signed-questions.ts';

const KEY = { name: 'nephos-1', secret: Buffer.alloc(32, 7).toString('base64') };
/** With the SOA record twice and the name server. */
const RECORDS = 2000 + 3;
const MEGABYTE = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Octets of buffers that something holds, or that the collector is yet to sweep, which it does in threads of its own. */
function heldOctets(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

let port: number;
let server: TcpServer;

beforeAll(async () => {
  const zones = createZoneSet();
  const sources = createTransferSources(zones);
  const records = Array.from({ length: RECORDS - 3 }, (_, i) => ({
    ...{ owner: `n${i}.example.test`, type: 'TXT' as const, value: 'x'.repeat(4000), ttl: 300 },
  }));
  const zone = buildZone({ domain: 'example.test', serial: 1, records }, ['ns1.nephos.test']);
  sources.put(zone, { key: KEY, addresses: ['127.0.0.1'] });
  zones.put(zone);
  port = await freePort();
  // As for both families, so that addresses by IPv4 come mapped.
  server = await openTcp(responderFor(zones, { sources }), { host: '::', port }, TCP_LIMITS);
});
afterAll(() => server.close());

/** All messages of a connection until it is closed. */
async function messagesOf(socket: Socket): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const received = Buffer.concat(chunks);
  const messages: Buffer[] = [];
  for (let at = 0; at < received.length; ) {
    const end = at + 2 + received.readUInt16BE(at);
    messages.push(received.subarray(at + 2, end));
    at = end;
  }
  return messages;
}

test('a large transfer is whole for one who sends no more, and what was asked behind it comes after it', async () => {
  const socket = connect(port, '127.0.0.1');
  const { packet, mac } = signed('example.test AXFR', { key: KEY });
  const next = packetOf('n7.example.test TXT');
  socket.end(Buffer.concat([framed(packet), framed(next)]));
  const messages = await messagesOf(socket);
  const last = messages.pop();
  expect(last?.readUInt16BE()).toBe(next.readUInt16BE());
  assertSigned(messages, KEY, mac);
  expect(answersOf(messages)).toHaveLength(RECORDS);
});

test('one who reads slowly gets it whole, and what waits for it is not made before', async () => {
  const before = heldOctets();
  const slow = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  const macs: Buffer[] = [];
  for (const socket of slow) {
    socket.pause();
    const { packet, mac } = signed('example.test AXFR', { key: KEY });
    macs.push(mac);
    socket.write(framed(packet));
  }
  await Promise.all(slow.map((socket) => once(socket, 'connect')));
  await wait(500);
  // Each zone has 8 MB; the system's own buffers are not counted here.
  await expect.poll(() => heldOctets() - before).toBeLessThan(40 * MEGABYTE);
  const [first, ...others] = slow;
  for (const socket of others) socket.destroy();
  if (!first) throw new Error('no connection');
  first.end();
  const messages = await messagesOf(first);
  assertSigned(messages, KEY, macs[0] ?? Buffer.alloc(0));
  expect(answersOf(messages)).toHaveLength(RECORDS);
});
