import {
  countRows,
  findDamage,
  type RowCounts,
  writtenIn,
} from '../databases/engines/postgres/proof/check-contents.ts';
import { compareRows } from './compare-rows.ts';
import type { Finding } from './finding.ts';
import type { PastParts } from './parts.ts';
import { keepRest, planRestore } from './plan-restore.ts';

/** How often a moment is looked for at which nothing is written. */
const LOOKS = 3;

/**
 * Restores an archive's latest backup with all of the log since into a server that is thrown away, looks for damage in
 * it, and counts its rows against the original's.
 */
export async function proveServer(
  parts: PastParts,
  { archiveId, engineName }: { archiveId: string; engineName: string },
  signal: AbortSignal,
): Promise<Finding> {
  const { past } = parts;
  if (!past) throw new Error('There are no servers of their own here.');
  const original = await countOriginal(parts, { archiveId, engineName });
  const { open } = await planRestore(parts, { archiveId, at: null });
  const { damage, rows } = await past.prove(
    { ...open(), progress: async () => {}, signal },
    async (client) => ({ rows: await countRows(client), damage: await findDamage(client) }),
  );
  return damage === undefined ? compareRows(rows, original) : { succeeded: false, detail: damage };
}

/** Has all kept that was written, and counts it; null where more was written at each attempt. */
async function countOriginal(
  parts: PastParts,
  { archiveId, engineName }: { archiveId: string; engineName: string },
): Promise<RowCounts | null> {
  const { past } = parts;
  for (let look = 1; look <= LOOKS; look += 1) {
    const before = await past?.inDatabase(engineName, async (client) => ({
      written: await writtenIn(client),
      rows: await countRows(client),
    }));
    await keepRest(parts, archiveId, null);
    const after = await past?.inDatabase(engineName, writtenIn);
    if (before?.written.still && before.written.upTo === after?.upTo) return before.rows;
  }
  return null;
}
