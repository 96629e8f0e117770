import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createConnections } from './connections.ts';

const from = (remoteAddress: string) =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });

test('one host has so many connections, whichever addresses of its network it takes', async () => {
  const connections = createConnections();
  const sockets = Array.from({ length: 200 }, (_, n) => from(`2001:db8:1:2::${n + 1}`));
  for (const socket of sockets) expect(connections.take(socket)).toBeDefined();
  expect(connections.take(from('2001:db8:1:2:f::1'))).toBeUndefined();
  expect(connections.take(from('2001:db8:1:3::1'))).toBeDefined();
  const [first = new Socket()] = sockets;
  await once(first.destroy(), 'close');
  expect(connections.take(from('2001:db8:1:2:f::1'))).toBeDefined();
  connections.destroyAll();
});

test('there is an end to all, but who is on the way to a server stays', () => {
  const connections = createConnections();
  const first = from('127.0.0.1');
  connections.take(first)?.named();
  for (let n = 1; n < 4000; n += 1) connections.take(from('127.0.0.1'))?.named();
  expect(connections.take(from('127.0.0.1'))).toBeUndefined();
  expect(first.destroyed).toBe(false);
  connections.destroyAll();
  expect(first.destroyed).toBe(true);
});
