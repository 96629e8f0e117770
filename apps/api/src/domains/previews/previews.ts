import type { contract } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { AppAddress } from '../../platform/host-address.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RemoveFollowers } from '../custom-domains/app-records/remove-followers.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { Cause, CauseOutcome } from '../deployments/deploy-for-cause.ts';
import type { Domain } from '../domain.ts';
import type { Deployer } from '../projects/projects.ts';
import { type BranchNews, type Followed, followBranch } from './follow-branch.ts';
import type { CopyDatabase } from './preview-copies.ts';
import { getSettings, listPreviews, updateSettings } from './service.ts';
import { sweepPreviews } from './sweep-previews.ts';

/** What the domain was made with. */
export interface PreviewsParts extends Pick<Platform, 'settings' | 'db' | 'secrets' | 'log'> {
  deployer: Pick<Deployer, 'removeProject'>;
  databases: Pick<DatabasesParts, 'work'>;
  copyDatabase: CopyDatabase;
  appAddress: AppAddress;
  /** Has the DNS records that follow a preview go after it. */
  removeFollowers: RemoveFollowers;
  /** Queues a deployment, or says why not, in the transaction that holds the project's row. */
  deployForCause(trx: Kysely<Database>, cause: Cause): Promise<CauseOutcome>;
}

/** Brings a project's preview of a branch up to date, in the transaction that holds the account's row and the project's. */
export type FollowBranch = (trx: Kysely<Database>, news: BranchNews) => Promise<Followed | undefined>;

/** Branches that have projects of their own. */
export function createPreviews(
  { settings, db, secrets, log }: Pick<Platform, 'settings' | 'db' | 'secrets' | 'log'>,
  of: Omit<PreviewsParts, 'settings' | 'db' | 'secrets' | 'log'>,
): Domain<typeof contract.previews> & { followBranch: FollowBranch } {
  const parts: PreviewsParts = { ...of, settings, db, secrets, log };
  return {
    followBranch: (trx, news) => followBranch(trx, parts, news),
    handlers: {
      settings: ({ ctx, input }) => getSettings(ctx, input.id),
      update: ({ ctx, input }) => updateSettings(ctx, input),
      list: ({ ctx, input }) => listPreviews(ctx, parts, input.id),
    },
    sweeps: { previews: () => sweepPreviews(parts) },
  };
}
