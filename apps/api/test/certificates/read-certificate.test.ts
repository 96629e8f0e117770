import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { readCertificate } from '../../src/domains/certificates/read-certificate.ts';
import {
  createTestAuthority,
  type TestAuthority,
  type TestCertificate,
} from '../custom-domains/test-certificates.ts';

const SHOP = 'shop.example.test';
const DAY = 24 * 60 * 60 * 1000;

const HAS_OPENSSL = requireTool('openssl');

let authority: TestAuthority;
let shop: TestCertificate;
let other: TestCertificate;

beforeAll(async () => {
  if (!HAS_OPENSSL) return;
  authority = await createTestAuthority();
  shop = await authority.issue([SHOP]);
  other = await authority.issue(['other.example.test', '*.example.test']);
});
afterAll(() => authority?.close());

const read = (given: TestCertificate, domain = SHOP, now = new Date()) =>
  readCertificate({ domain, ...given }, now);

function refusalOf(...given: Parameters<typeof read>): unknown {
  try {
    read(...given);
  } catch (error) {
    return (error as { cause?: unknown }).cause ?? error;
  }
  throw new Error('It was taken.');
}

const refused = (path: string, message: RegExp) => ({
  fields: [{ path, message: expect.stringMatching(message) }],
});

describe.skipIf(!HAS_OPENSSL)('a certificate', () => {
  it('is read with its chain, issuer and end', () => {
    const { chain, key, issuer, endsAt } = read(shop);
    expect(chain.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(key).toContain('BEGIN PRIVATE KEY');
    expect(issuer).toBe('Test Authority');
    expect(Date.parse(endsAt) - Date.now()).toBeGreaterThan(29 * DAY);
  });

  it('may cover its domain by a wildcard, and what is around the blocks is left out', () => {
    const certificate = `Bag Attributes\n${other.certificate.replaceAll('\n', '\r\n')}\n`;
    expect(read({ ...other, certificate }).chain).not.toContain('Bag');
  });

  it('may have no chain', async () => {
    expect(read({ ...shop, certificate: firstOf(shop) }).chain.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
  });

  it('is refused for another domain, also one below a wildcard', () => {
    const message = /isn't for .+\. It is for other\.example\.test, \*\.example\.test\.$/;
    expect(refusalOf(other, 'a.shop.example.test')).toMatchObject(refused('certificate', message));
    expect(refusalOf(other, 'example.test')).toMatchObject(refused('certificate', message));
  });

  it('is refused before and after it is valid', () => {
    const at = (days: number) => new Date(Date.now() + days * DAY);
    expect(refusalOf(shop, SHOP, at(31))).toMatchObject(refused('certificate', /expired on \d{4}-/));
    expect(refusalOf(shop, SHOP, at(-2))).toMatchObject(refused('certificate', /isn't valid before/));
  });

  it('is refused with the key of another, with one that has a passphrase, and with none', () => {
    const { certificate } = shop;
    expect(refusalOf({ certificate, privateKey: other.privateKey })).toMatchObject(
      refused('privateKey', /isn't the one/),
    );
    const privateKey = String(
      execFileSync('openssl', ['pkcs8', '-topk8', '-passout', 'pass:secret'], { input: shop.privateKey }),
    );
    expect(refusalOf({ certificate, privateKey })).toMatchObject(refused('privateKey', /passphrase/));
    expect(refusalOf({ certificate, privateKey: certificate })).toMatchObject(
      refused('privateKey', /can't be read/),
    );
  });

  it('is refused where it cannot be read, or its chain is out of order', () => {
    const broken = shop.certificate.replace(/\n.{20}/, '\n????');
    expect(refusalOf({ ...shop, certificate: broken })).toMatchObject(
      refused('certificate', /can't be read/),
    );
    expect(refusalOf({ ...shop, certificate: shop.privateKey })).toMatchObject(
      refused('certificate', /isn't a certificate/),
    );
    const twice = firstOf(shop) + shop.certificate;
    expect(refusalOf({ ...shop, certificate: twice })).toMatchObject(refused('certificate', /out of order/));
    const many = authority.certificate.repeat(11);
    expect(refusalOf({ ...shop, certificate: many })).toMatchObject(refused('certificate', /up to 10/));
  });

  it.each([
    ['a weak key', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:512'], 'certificate', /TLS refuses/],
    ['a key that browsers lack', ['-algorithm', 'ED25519'], 'privateKey', /Browsers don't support/],
  ] as const)('is refused with %s', async (_, key, path, message) => {
    expect(refusalOf(await authority.issue([SHOP], { key }))).toMatchObject(refused(path, message));
  });
});

function firstOf({ certificate }: TestCertificate): string {
  return certificate.slice(0, certificate.indexOf('-----BEGIN', 1));
}
