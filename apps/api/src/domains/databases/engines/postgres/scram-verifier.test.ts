import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { scramVerifier } from './scram-verifier.ts';

/** The example of RFC 7677 §3. */
const SALT = 'W22ZaJ0SNY7soEsUEjb6gQ==';
const NONCE = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
const EXCHANGE = `n=user,r=rOprNGfwEbeRWgbNEkqO,r=${NONCE},s=${SALT},i=4096,c=biws,r=${NONCE}`;
const PROOF = 'dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=';
const SIGNATURE = '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=';

test('admits the proof of the RFC and signs as it does', async () => {
  const verifier = await scramVerifier('pencil', Buffer.from(SALT, 'base64'));
  const [, salt, stored = '', server = ''] = /^SCRAM-SHA-256\$4096:(.+)\$(.+):(.+)$/.exec(verifier) ?? [];
  expect(salt).toBe(SALT);
  const keyed = (key: string) => createHmac('sha256', Buffer.from(key, 'base64')).update(EXCHANGE).digest();
  expect(keyed(server).toString('base64')).toBe(SIGNATURE);
  // The client's key is its proof without the signature under the stored key (RFC 5802 §3).
  const signature = keyed(stored);
  const clientKey = Buffer.from(PROOF, 'base64').map((byte, index) => byte ^ (signature[index] ?? 0));
  expect(createHash('sha256').update(clientKey).digest('base64')).toBe(stored);
});

test('salts each time anew', async () => {
  expect(await scramVerifier('pencil')).not.toBe(await scramVerifier('pencil'));
});
