import { randomBytes, randomInt } from 'node:crypto';
import type { Credentials } from './engines/engine.ts';

const PASSWORD_LENGTH = 32;
/** These characters need no escaping in any address, shell or dialect of SQL. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A random password of 190 bits. */
export function newPassword(): string {
  return Array.from({ length: PASSWORD_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/**
 * Makes the name and password of a new database and its role. The name is random, since servers show it to their other users: it tells nothing
 * of the account, of the name that people see, or of when the database was made.
 */
export function newCredentials(): Credentials {
  return { name: `db_${randomBytes(12).toString('hex')}`, password: newPassword() };
}
