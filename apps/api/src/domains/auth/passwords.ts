import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id with 19 MiB, two passes and one lane: the least that OWASP's password storage advice allows. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Hashes a password to a PHC string. NFC, so that every keyboard types the same one. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), COST);
}

const decoy = hashPassword(randomBytes(16).toString('hex'));

/** Whether the password fits; takes as long without a hash as with one, so that time tells nothing about accounts. */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const fits = await verify(passwordHash ?? (await decoy), password.normalize('NFC'));
  return fits && passwordHash !== null && passwordHash !== undefined;
}
