import { createHmac, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { hangUp } from '../../door/hang-up.ts';
import { fatal, frame } from './startup.ts';

const MECHANISM = 'SCRAM-SHA-256';
const ITERATIONS = 4096;
const SALT_BYTES = 16;
const NONCE_BYTES = 18;
/** Milliseconds, as `authentication_timeout` of the servers. */
const PATIENCE = 10_000;
const LONGEST = 1024;
const SASL = 10;
const SASL_CONTINUE = 11;

const authentication = (kind: number, text: string) => {
  const body = Buffer.alloc(4);
  body.writeInt32BE(kind);
  return frame('R', Buffer.concat([body, Buffer.from(text)]));
};

/**
 * Asks for a password as PostgreSQL does (RFC 5802), and refuses whatever comes: so nobody learns which databases there
 * are. The salt is always the same for a user, as it would be if there were one.
 */
export function refuseLogin(socket: Duplex, user: string, key: Uint8Array): void {
  const refuse = () => hangUp(socket, fatal('28P01', `password authentication failed for user "${user}"`));
  const timer = setTimeout(() => socket.destroy(), PATIENCE).unref();
  socket.once('close', () => clearTimeout(timer));
  let arrived = Buffer.alloc(0);
  let asked = false;
  const read = (chunk: Buffer) => {
    arrived = Buffer.concat([arrived, chunk]);
    if (arrived.length > LONGEST) return void socket.destroy();
    const length = arrived.length < 5 ? Number.POSITIVE_INFINITY : 1 + arrived.readInt32BE(1);
    if (arrived.length < length) return;
    const nonce = /,r=([!-+\--~]+)$/.exec(arrived.subarray(5, length).toString('latin1'))?.[1];
    arrived = arrived.subarray(length);
    if (asked || nonce === undefined) {
      socket.off('data', read);
      return void refuse();
    }
    asked = true;
    const salt = createHmac('sha256', key).update(user).digest().subarray(0, SALT_BYTES).toString('base64');
    const ours = randomBytes(NONCE_BYTES).toString('base64');
    socket.write(authentication(SASL_CONTINUE, `r=${nonce}${ours},s=${salt},i=${ITERATIONS}`));
  };
  socket.on('data', read).resume();
  socket.write(authentication(SASL, `${MECHANISM}\0\0`));
}
