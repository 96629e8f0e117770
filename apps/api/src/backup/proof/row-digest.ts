import { createHash } from 'node:crypto';
import type { Bytes } from '../../platform/object-store/object-store.ts';

const NEWLINE = 0x0a;
const WORDS = 8;

/** Rows as COPY writes them, whatever their order: how many, and the sum of their digests. */
export interface RowDigest {
  rows: number;
  digest: string;
}

export async function digestRows(source: Bytes): Promise<RowDigest> {
  const sum = new Uint32Array(WORDS);
  let rows = 0;
  let begun: Buffer[] = [];
  const add = (row: Uint8Array) => {
    const digest = createHash('sha256').update(row).digest();
    for (let word = 0; word < WORDS; word += 1) sum[word] = (sum[word] ?? 0) + digest.readUInt32LE(word * 4);
    rows += 1;
  };
  for await (const bytes of source) {
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      add(begun.length > 0 ? Buffer.concat([...begun, bytes.subarray(from, at)]) : bytes.subarray(from, at));
      begun = [];
      from = at + 1;
    }
    if (from < bytes.length) begun.push(Buffer.from(bytes.subarray(from)));
  }
  return { rows, digest: Buffer.from(sum.buffer).toString('hex') };
}
