import type { ReceiptEntry, ResourceKind } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { Refusal } from '../../core/errors.ts';
import { removeImage } from '../containers/service.ts';
import { removeDatabase } from '../databases/service.ts';
import { removeRecord } from '../dns/service.ts';
import { removeMobileApp } from '../mobile-apps/service.ts';
import { removeProject } from '../projects/remove-project.ts';
import { removeFile } from '../storage/service.ts';
import type { MarketplaceParts } from './marketplace.ts';

type Remove = (ctx: UserContext, parts: MarketplaceParts, id: string) => Promise<unknown>;

const REMOVE: Record<ResourceKind, Remove> = {
  project: (ctx, { projects }, id) => removeProject(ctx, projects, id),
  database: (ctx, { databases }, id) => removeDatabase(ctx, databases.work, id),
  dns: (ctx, _, id) => removeRecord(ctx, id),
  container: (ctx, { settings }, id) => removeImage(ctx, settings, id),
  file: (ctx, { storage }, id) => removeFile(ctx, storage, id),
  'mobile-app': (ctx, _, id) => removeMobileApp(ctx, id),
};

/**
 * Deletes the DNS records that lead to the projects on a receipt, in the transaction `ctx.db`: before `removeAll`, since zones
 * are locked before accounts. Throws 409 where another record needs one of them.
 */
export async function removeRecordsTo(
  ctx: UserContext,
  { projects }: MarketplaceParts,
  receipt: readonly ReceiptEntry[],
): Promise<void> {
  for (const { kind, id } of receipt) {
    if (kind !== 'project') continue;
    await projects.appRecords.remove(ctx, id).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'NOT_FOUND')) throw error;
    });
  }
}

/**
 * Deletes what is on a receipt in the transaction `ctx.db`: projects first, which may use any of the rest, then the last
 * made. What is gone already is skipped. What something else uses refuses it all with 409 IN_USE, or, with `keepUsed`,
 * stays and is answered.
 */
export async function removeAll(
  ctx: UserContext,
  parts: MarketplaceParts,
  { receipt, keepUsed = false }: { receipt: readonly ReceiptEntry[]; keepUsed?: boolean },
): Promise<ReceiptEntry[]> {
  const kept: ReceiptEntry[] = [];
  const isProject = ({ kind }: ReceiptEntry) => Number(kind === 'project');
  for (const entry of receipt.toReversed().toSorted((a, b) => isProject(b) - isProject(a))) {
    await REMOVE[entry.kind](ctx, parts, entry.id).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      if (keepUsed && error.reason === 'IN_USE') kept.push(entry);
      else if (error.code !== 'NOT_FOUND') throw error;
    });
  }
  return kept;
}
