import { hash, randomBytes } from 'node:crypto';

const BYTES = 32;
/** Matches what `randomToken` makes: 32 bytes in base64url. */
export const RANDOM_TOKEN = '[A-Za-z0-9_-]{43}';

/** 256 random bits, as text for headers and addresses. */
export function randomToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** What is stored of a random token: a copy of it is of no use. In hex. */
export function hashOf(token: string): string {
  return hash('sha256', token);
}
