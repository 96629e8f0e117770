import { statfs } from 'node:fs/promises';
import { byteSize } from '../../../platform/byte-size.ts';
import type { Limits } from './limits.ts';
import { withoutOptions } from './mount-failure.ts';
import { StepFailure } from './step-failure.ts';

/** Throws `StepFailure` where so many bytes would leave too few free where `folder` is. */
export async function assertRoom(
  { spareBytes }: Pick<Limits, 'spareBytes'>,
  { folder, bytes }: { folder: string; bytes: number },
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = Math.max(bavail * bsize - spareBytes, 0);
  if (bytes > free) throw noRoom(` It needs ${byteSize(bytes)}, and ${byteSize(free)} can be used.`);
}

/** What a failed backup is told as. */
export function backupFailure(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error;
  const said = withoutOptions(error instanceof Error ? error.message : String(error));
  if (/no space left on device|disk quota exceeded|ENOSPC|EDQUOT/i.test(said)) return noRoom('');
  // What programs and the system say names folders of the server.
  const cause = said.trim().replace(/\/\S+\//g, '');
  return new StepFailure('start', `Start failed: the disk data could not be backed up. ${cause}`);
}

function noRoom(figures: string): StepFailure {
  return new StepFailure(
    'start',
    `Start failed: the server has no room to back up the disk data.${figures} Ask an administrator to free some space, then deploy again.`,
  );
}
