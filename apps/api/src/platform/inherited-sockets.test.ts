import { expect, test } from 'vitest';
import { assertAnswered, assertPlace, readInheritedSockets } from './inherited-sockets.ts';

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

test.each<[string, number, { address: string; port: number }, string | RegExp]>([
  ['127.0.0.1', 80, { address: '0.0.0.0', port: 80 }, 'HOST 127.0.0.1 is not 0.0.0.0'],
  ['localhost', 80, { address: '::', port: 80 }, 'set HOST=::'],
  ['0.0.0.0', 8080, { address: '0.0.0.0', port: 80 }, 'PORT 8080 is not port 80'],
])('with HOST %s and PORT %i, a socket at %o is refused', (host, port, at, reason) => {
  expect(() => assertPlace({ name: 'PORT', host, port }, at)).toThrow(reason);
});

test('a socket where the settings say is taken', () => {
  assertPlace({ name: 'PORT', host: '127.0.0.1', port: 80 }, { address: '127.0.0.1', port: 80 });
  assertPlace({ name: 'PORT', host: '0.0.0.0', port: 80 }, { address: '0.0.0.0', port: 80 });
  assertAnswered({ https: 3, 'dns-udp': 4, 'dns-tcp': 5 }, { httpsPort: 443, dnsPort: 53 });
});

test('a socket that the settings turn off is refused', () => {
  expect(() => assertAnswered({ https: 3 }, { httpsPort: 0, dnsPort: 53 })).toThrow('HTTPS_PORT must be set');
  expect(() => assertAnswered({ 'dns-tcp': 3 }, { httpsPort: 443, dnsPort: 0 })).toThrow(
    'DNS_PORT must be set',
  );
});
