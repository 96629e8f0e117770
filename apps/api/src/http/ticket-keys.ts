import type { SecretsBox } from '../platform/secrets-box.ts';

const DAY = 24 * 60 * 60 * 1000;
/** What Node takes: a name, and keys for HMAC and AES, of 16 bytes each. */
const LENGTH = 48;

/**
 * The keys of TLS session tickets (RFC 5077) at an instant: those of its day in UTC, the same for every replica. A
 * ticket of an earlier day costs its client a whole handshake.
 */
export function ticketKeysAt({ deriveKey }: Pick<SecretsBox, 'deriveKey'>, now: number): Buffer {
  const day = new Date(now).toISOString().slice(0, 10);
  const halves = ['name', 'keys'].map((part) => deriveKey(`tls-session-tickets:${day}:${part}`));
  return Buffer.concat(halves).subarray(0, LENGTH);
}

/** Milliseconds from an instant until the keys are others. */
export function untilNextTicketKeys(now: number): number {
  return DAY - (now % DAY);
}
