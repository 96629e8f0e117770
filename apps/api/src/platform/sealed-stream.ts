import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encryption of streams of any length (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015): a
 * version, a salt, and pieces of 64 KiB, each by AES-256-GCM with its number and whether it is the last as the nonce,
 * under a key for this salt and context alone. What was changed, cut off, put in another order or under another context
 * does not open; nothing of a piece is given before it was checked.
 */
const VERSION = 1;
const SALT_BYTES = 32;
const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

export interface StreamKey {
  /** 32 bytes. */
  key: Uint8Array;
  /** What the stream is, for example the key of an object. */
  context: string;
}

function keyFor({ key, context }: StreamKey, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, salt, context, 32));
}

function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, 0, 6);
  nonce[NONCE_BYTES - 1] = last ? 1 : 0;
  return nonce;
}

/** Encrypts what `source` yields. */
export async function* sealStream(
  source: AsyncIterable<Uint8Array>,
  by: StreamKey,
): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(SALT_BYTES);
  const key = keyFor(by, salt);
  yield Buffer.concat([Buffer.of(VERSION), salt]);
  let number = 0;
  for await (const { piece, last } of piecesOf(source, PIECE_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, last), { authTagLength: TAG_BYTES });
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
    number += 1;
  }
}

/** Decrypts what `sealStream` made, with the same key and context. Throws where it is not that, or not all of it. */
export async function* openStream(
  source: AsyncIterable<Uint8Array>,
  by: StreamKey,
): AsyncGenerator<Uint8Array> {
  let key: Uint8Array | undefined;
  let number = 0;
  for await (const { piece, last } of piecesOf(source, PIECE_BYTES + TAG_BYTES, 1 + SALT_BYTES)) {
    if (!key) {
      if (piece[0] !== VERSION || last) throw new Error('This stream was not sealed by this program.');
      key = keyFor(by, piece.subarray(1));
      continue;
    }
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, last), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(piece.subarray(-TAG_BYTES));
    const plain = decipher.update(piece.subarray(0, -TAG_BYTES));
    decipher.final();
    yield plain;
    number += 1;
  }
}

/** `sealStream` of bytes that are all there, and in one piece: several times as fast. */
export function sealBytes(bytes: Uint8Array, by: StreamKey): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const key = keyFor(by, salt);
  const pieces = Math.max(1, Math.ceil(bytes.length / PIECE_BYTES));
  const sealed = Buffer.allocUnsafeSlow(1 + SALT_BYTES + bytes.length + pieces * TAG_BYTES);
  sealed[0] = VERSION;
  sealed.set(salt, 1);
  let to = 1 + SALT_BYTES;
  for (let number = 0; number < pieces; number += 1) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, number === pieces - 1), {
      authTagLength: TAG_BYTES,
    });
    const piece = bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES);
    sealed.set(cipher.update(piece), to);
    cipher.final();
    sealed.set(cipher.getAuthTag(), to + piece.length);
    to += piece.length + TAG_BYTES;
  }
  return sealed;
}

/** `openStream` of bytes that are all there. */
export function openBytes(sealed: Uint8Array, by: StreamKey): Buffer {
  const [head, whole] = [1 + SALT_BYTES, PIECE_BYTES + TAG_BYTES];
  if (sealed[0] !== VERSION || sealed.length <= head) throw new Error('This was not sealed by this program.');
  const key = keyFor(by, sealed.subarray(1, head));
  const pieces = Math.ceil((sealed.length - head) / whole);
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, sealed.length - head - pieces * TAG_BYTES));
  for (let number = 0; number < pieces; number += 1) {
    const piece = sealed.subarray(head + number * whole, head + (number + 1) * whole);
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, number === pieces - 1), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(piece.subarray(-TAG_BYTES));
    const plain = decipher.update(piece.subarray(0, -TAG_BYTES));
    decipher.final();
    bytes.set(plain, number * PIECE_BYTES);
  }
  return bytes;
}

/** Pieces of `size` bytes, of which the last may be shorter or empty; before them one of `head` bytes, where there is one. */
async function* piecesOf(
  source: AsyncIterable<Uint8Array>,
  size: number,
  head = size,
): AsyncGenerator<{ piece: Buffer; last: boolean }> {
  let [waiting, length, wanted]: [Buffer[], number, number] = [[], 0, head];
  for await (const bytes of source) {
    // The source may use its buffer again.
    waiting.push(Buffer.from(bytes));
    length += bytes.length;
    // One byte more shows that it is not the last.
    if (length <= wanted) continue;
    let all = Buffer.concat(waiting);
    while (all.length > wanted) {
      yield { piece: all.subarray(0, wanted), last: false };
      all = all.subarray(wanted);
      wanted = size;
    }
    [waiting, length] = [[all], all.length];
  }
  yield { piece: Buffer.concat(waiting), last: true };
}
