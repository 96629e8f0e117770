import { randomBytes } from 'node:crypto';
import { closeSync, fchownSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import type { Account } from './unprivileged-account.ts';

/**
 * Writes a line of text to a file that appears whole or not at all, readable by `account` (or else us) alone. The
 * folder may be the account's own: the new file is worked with by its descriptor, as its name could be taken over.
 */
export function writePrivately(file: string, text: string, account: Account | undefined): void {
  const half = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(half, 'wx', 0o600);
  try {
    writeFileSync(descriptor, `${text}\n`);
    fsyncSync(descriptor);
    if (account) fchownSync(descriptor, account.uid, account.gid);
  } finally {
    closeSync(descriptor);
  }
  renameSync(half, file);
}
