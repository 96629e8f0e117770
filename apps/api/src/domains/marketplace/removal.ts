import type { ReceiptEntry, ResourceKind } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { Refusal } from '../../core/errors.ts';
import { removeImage } from '../containers/service.ts';
import { removeDatabase } from '../databases/service.ts';
import { removeRecord } from '../dns/service.ts';
import { removeMobileApp } from '../mobile-apps/service.ts';
import { removeProject } from '../projects/service.ts';
import { removeFile } from '../storage/service.ts';
import type { MarketplaceParts } from './marketplace.ts';

type Remove = (ctx: UserContext, parts: MarketplaceParts, id: string) => Promise<unknown>;

const REMOVE: Record<ResourceKind, Remove> = {
  project: (ctx, { projects }, id) => removeProject(ctx, projects.deployer, id),
  database: (ctx, { databases }, id) => removeDatabase(ctx, databases.work, id),
  dns: (ctx, _, id) => removeRecord(ctx, id),
  container: (ctx, _, id) => removeImage(ctx, id),
  file: (ctx, { storage }, id) => removeFile(ctx, storage, id),
  'mobile-app': (ctx, _, id) => removeMobileApp(ctx, id),
};

/** Deletes what is on a receipt, the last made first, in the transaction `ctx.db`. What is gone already is skipped. */
export async function removeAll(
  ctx: UserContext,
  parts: MarketplaceParts,
  receipt: readonly ReceiptEntry[],
): Promise<void> {
  for (const { kind, id } of receipt.toReversed()) {
    await REMOVE[kind](ctx, parts, id).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'NOT_FOUND')) throw error;
    });
  }
}
