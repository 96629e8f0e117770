import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);

/** PostgreSQL's own default. Our passwords are random, so that more rounds would protect nothing. */
const ITERATIONS = 4096;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/**
 * What PostgreSQL keeps of a password (RFC 5802 §3, RFC 7677), in the form that `create role … password` takes, so
 * that the password itself never reaches the server's log or statistics. Only for ASCII, which SASLprep leaves as it is.
 */
export async function scramVerifier(password: string, salt = randomBytes(SALT_BYTES)): Promise<string> {
  const salted = await derive(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64');
  const serverKey = hmac(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
