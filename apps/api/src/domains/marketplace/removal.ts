import type { ReceiptEntry, ResourceKind } from '@nephos/contracts';
import type { UserContext } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import { removeImage } from '../containers/service.ts';
import { removeDatabase } from '../databases/service.ts';
import { removeRecord } from '../dns/service.ts';
import { removeMobileApp } from '../mobile-apps/service.ts';
import { removeProject } from '../projects/service.ts';
import { removeFile } from '../storage/service.ts';

type Remove = (ctx: UserContext, id: string) => Promise<unknown>;

const REMOVE: Record<ResourceKind, Remove> = {
  project: removeProject,
  database: removeDatabase,
  dns: removeRecord,
  container: removeImage,
  file: removeFile,
  'mobile-app': removeMobileApp,
};

/** Deletes what is on a receipt, the last made first, in the transaction `ctx.db`. What is gone already is skipped. */
export async function removeAll(ctx: UserContext, receipt: readonly ReceiptEntry[]): Promise<void> {
  for (const { kind, id } of receipt.toReversed()) {
    await REMOVE[kind](ctx, id).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'NOT_FOUND')) throw error;
    });
  }
}
