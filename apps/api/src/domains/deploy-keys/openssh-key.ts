import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';

const TYPE = 'ssh-ed25519';
const BLOCK = 8;
const LINE = 70;

/** Both halves as ssh reads them. */
export interface OpensshKey {
  /** A line of `authorized_keys`. */
  publicKey: string;
  /** A file of its own (PROTOCOL.key of OpenSSH), without a passphrase. */
  privateKey: string;
}

/** A new ed25519 key. */
export function makeOpensshKey(comment: string): OpensshKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const blob = Buffer.concat([text(TYPE), text(point)]);
  const check = randomBytes(4);
  const secret = Buffer.concat([...[check, check, blob, text(Buffer.concat([seed, point])), text(comment)]]);
  const padding = Buffer.from(
    Array.from({ length: (BLOCK - (secret.length % BLOCK)) % BLOCK }, (_, at) => at + 1),
  );
  const file = Buffer.concat([
    ...[Buffer.from('openssh-key-v1\0'), text('none'), text('none'), text('')],
    ...[count(1), text(blob), text(Buffer.concat([secret, padding]))],
  ]);
  const lines = file.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return {
    publicKey: `${TYPE} ${blob.toString('base64')} ${comment}`,
    privateKey: `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`,
  };
}

/** What `ssh-keygen -l` shows of a key in base64. */
export function fingerprintOf(key: string): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}

/** RFC 4251 §5, `string`. */
function text(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as Buffer);
  return Buffer.concat([count(bytes.length), bytes]);
}

function count(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
