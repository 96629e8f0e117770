import { randomBytes } from 'node:crypto';
import { chownSync, renameSync, writeFileSync } from 'node:fs';
import type { Account } from './unprivileged-account.ts';

/** Writes a line of text to a file that appears whole or not at all, readable by `account` (or else us) alone. */
export function writePrivately(file: string, text: string, account: Account | undefined): void {
  const half = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(half, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
  if (account) chownSync(half, account.uid, account.gid);
  renameSync(half, file);
}
