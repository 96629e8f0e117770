import { describe, expect, test } from 'vitest';
import { createCookieSecrets } from '../../src/domains/dns/server/cookie-secrets.ts';
import { createCookies } from '../../src/domains/dns/server/cookies.ts';
import { sipHash } from '../../src/domains/dns/server/sip-hash.ts';

const octets = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

test('SipHash-2-4, of the paper and the reference code, for every length up to three blocks', () => {
  const key = octets('000102030405060708090a0b0c0d0e0f');
  const message = Buffer.from(Array.from({ length: 24 }, (_, i) => i));
  expect(sipHash(key, message.subarray(0, 15)).toString('hex')).toBe('e545be4961ca29a1');
  expect(sipHash(key, message.subarray(0, 0)).toString('hex')).toBe('310e0edd47db6f72');
  expect(sipHash(key, message.subarray(0, 8)).toString('hex')).toBe('6224939a79f5f593');
  expect(
    new Set(Array.from({ length: 25 }, (_, i) => sipHash(key, message.subarray(0, i)).toString('hex'))).size,
  ).toBe(25);
});

/** What is answered to a cookie at a time, in hexadecimal, and whether it was known. */
function look(secret: string, cookie: string, address: string, now: number) {
  const seen = createCookies(
    () => octets(secret),
    () => now,
  ).look(octets(cookie), address);
  return [seen.cookie.toString('hex'), seen.isKnown];
}

describe('RFC 9018 appendix A', () => {
  const SECRET = 'e5e973e5a6b2a43f48e7dc849e37bfcf';

  test('A.1 and A.2: a cookie is learnt, and another one 40 minutes later', () => {
    const client = '2464c4abcf10c957';
    const first = `${client}010000005cf79f111f8130c3eee29480`;
    expect(look(SECRET, client, '198.51.100.100', 0x5cf79f11)).toEqual([first, false]);
    const renewed = `${client}010000005cf7a871d4a564a1442aca77`;
    expect(look(SECRET, first, '198.51.100.100', 0x5cf7a871)).toEqual([renewed, true]);
  });

  test('A.3: reserved octets are hashed as they came, and are zero in ours', () => {
    const cookie = 'fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5';
    expect(look(SECRET, cookie, '203.0.113.203', 0x5cf78f71 + 3600)[1]).toBe(true);
    expect(look(SECRET, cookie, '203.0.113.203', 0x5cf7a9ac)[0]).toBe(
      'fc93fc62807ddb86010000005cf7a9acf73a7810aca2381e',
    );
  });

  test('A.4: IPv6, and a secret that is another by now', () => {
    const address = '2001:db8:220:1:59de:d0f4:8769:82b8';
    const cookie = '22681ab97d52c298010000005cf7c57926556bd0934c72f8';
    const now = 0x5cf7c609;
    expect(look('dd3bdf9344b678b185a6f5cb60fca715', cookie, address, now)).toEqual([cookie, true]);
    expect(look('445536bcd2513298075a5d379663c962', cookie, address, now)).toEqual([
      '22681ab97d52c298010000005cf7c609a6bb79d16625507a',
      false,
    ]);
  });
});

test('a cookie is good for its address, its client, its server and an hour', () => {
  const secret = '00112233445566778899aabbccddeeff';
  const now = 1_800_000_000;
  const [cookie] = look(secret, '0102030405060708', '192.0.2.1', now) as [string];
  const isKnown = (given: string, at = now, address = '192.0.2.1') => look(secret, given, address, at)[1];
  expect([0, 3600, 3601, -300, -301].map((after) => isKnown(cookie, now + after))).toEqual([
    ...[true, true, false, true, false],
  ]);
  expect(look(secret, cookie, '192.0.2.1', now + 1800)[0]).toBe(cookie);
  expect(look(secret, cookie, '192.0.2.1', now + 1801)[0]).not.toBe(cookie);
  expect(isKnown(cookie, now, '192.0.2.2')).toBe(false);
  expect(isKnown(`${cookie}00`)).toBe(false);
  for (let at = 0; at < cookie.length; at += 1) {
    const digit = cookie[at] === '0' ? '1' : '0';
    expect(isKnown(cookie.slice(0, at) + digit + cookie.slice(at + 1))).toBe(false);
  }
});

test('replicas of one key know each other’s cookies, beyond the day’s new secret, and others do not', () => {
  const client = octets('0102030405060708');
  const midnight = 20_000 * 86_400;
  const lookAs = (key: string, cookie: Buffer, now: number) =>
    createCookies(createCookieSecrets(key), () => now).look(cookie, '192.0.2.1');
  const { cookie } = lookAs('shared', client, midnight - 60);
  expect(lookAs('shared', cookie, midnight + 60).isKnown).toBe(true);
  expect(lookAs('another', cookie, midnight + 60).isKnown).toBe(false);
  const secretAt = createCookieSecrets('shared');
  expect(secretAt(midnight - 1)).not.toEqual(secretAt(midnight));
  expect(secretAt(midnight)).toEqual(secretAt(midnight + 86_399));
  expect(secretAt(midnight)).toHaveLength(16);
});
