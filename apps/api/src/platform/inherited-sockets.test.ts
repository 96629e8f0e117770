import { expect, test } from 'vitest';
import { readInheritedSockets } from './inherited-sockets.ts';

const env = { LISTEN_PID: '7', LISTEN_FDS: '3', LISTEN_FDNAMES: 'https:dns-udp:http' };

test('sockets are told apart by their names, and are this process’s alone', () => {
  expect(readInheritedSockets(env, 7)).toEqual({ https: 3, 'dns-udp': 4, http: 5 });
  expect(readInheritedSockets(env, 8)).toEqual({});
  expect(readInheritedSockets({}, 7)).toEqual({});
});

test.each([
  ['http:ftp:https', 'not ftp'],
  ['http', 'not empty'],
  ['http:http:https', 'http must have one'],
])('%s is refused, since nobody would answer there', (names, reason) => {
  expect(() => readInheritedSockets({ ...env, LISTEN_FDNAMES: names }, 7)).toThrow(reason);
});
