import type { Installation, MarketplaceItem, NewInstallation } from '@nephos/contracts';
import { TRIAL_ENDED } from '@nephos/contracts/constants';
import { type Earlier, found } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { forbidden, notFound, unavailable, unavailableSince } from '../../core/errors.ts';
import { mayInstall } from '../plans/plan.ts';
import { assertMayRunCode } from '../projects/runnable.ts';
import { inTransaction } from './act-as.ts';
import { readAnswers, stepsOf } from './answers.ts';
import { CATALOGUE, findItem } from './catalogue/catalogue.ts';
import type { Answers, CatalogueItem, Step } from './catalogue/item.ts';
import type { MarketplaceParts } from './marketplace.ts';
import { needsOf } from './needs.ts';
import { creating } from './progress.ts';
import type { InstallationQueue } from './queue.ts';
import { type InstallationRow, installationOf, installationsOf } from './read.ts';
import { removeAll } from './removal.ts';

/** The catalogue, with what this server lacks for each item, and how many accounts have it. */
export async function listItems(ctx: UserContext, parts: MarketplaceParts): Promise<MarketplaceItem[]> {
  const counts = await ctx.db
    .selectFrom('installations')
    .select(['itemId', ({ fn }) => fn.countAll<number>().as('count')])
    .where('status', '<>', 'failed')
    .groupBy('itemId')
    .execute();
  const countOf = new Map(counts.map(({ itemId, count }) => [itemId, count]));
  return CATALOGUE.map((item) => {
    const steps = stepsOf(item);
    return {
      ...item,
      installCount: countOf.get(item.id) ?? 0,
      creates: steps.map(({ kind, label }) => ({ kind, label })),
      needs: needsOf(ctx, parts, steps),
      inputs: item.questions.map(({ answer: _, ...input }) => input),
    };
  });
}

/** What the signed-in person has installed, newest first; `attempts` adds what is under way or failed. */
export async function listInstallations(
  { db, ownerId }: UserContext,
  { attempts = false }: { attempts?: boolean | undefined } = {},
): Promise<Installation[]> {
  const all = installationsOf(db, ownerId).orderBy('id', 'desc');
  const rows = await (attempts ? all : all.where('status', '=', 'installed')).execute();
  return rows.map(installationOf);
}

/**
 * Begins to install an item; what is installed already, or being so, stays as it is. Throws 404 for an unknown item,
 * 403 TRIAL_ENDED, 503 where this server lacks what it needs, and 400 for an answer that will not do.
 */
export async function install(
  ctx: UserContext,
  parts: MarketplaceParts & { queue: InstallationQueue },
  { id, inputs }: z.output<typeof NewInstallation>,
): Promise<Installation | Earlier<Installation>> {
  const item = findItem(id);
  if (!item) throw notFound();
  const { ownerId } = ctx;
  return atomically(ctx.db, async (trx) => {
    const there = await findInstallation(trx, ownerId, id);
    if (there) return asFound(there);
    if (!(await mayInstall({ db: trx, settings: parts.settings }, ownerId))) {
      throw forbidden('TRIAL_ENDED', TRIAL_ENDED);
    }
    const answers = readAnswers(item, inputs);
    const steps = stepsOf(item, answers);
    assertCanBeMade(ctx, parts, steps);
    const begun = await begin(trx, { ownerId, item, answers, steps });
    if (!begun) return asFound(await findInstallation(trx, ownerId, id));
    await parts.queue.run(trx, begun.id);
    return installationOf(begun);
  });
}

function asFound(row: InstallationRow | undefined): Earlier<Installation> {
  // It was uninstalled after it had kept ours from being made.
  if (!row) throw unavailableSince('the installation was taken back at this moment');
  return found(installationOf(row));
}

function assertCanBeMade(ctx: UserContext, parts: MarketplaceParts, steps: readonly Step[]): void {
  const { settings, projects } = parts;
  if (steps.some(({ kind }) => kind === 'project'))
    assertMayRunCode(settings, ctx.user, projects.deployer.isolation(), { builds: true });
  const missing = needsOf(ctx, parts, steps).find(({ available }) => !available);
  if (missing) throw unavailable(missing.reason);
}

/** One that has not failed. */
function findInstallation(
  db: Kysely<Database>,
  ownerId: string,
  itemId: string,
): Promise<InstallationRow | undefined> {
  return installationsOf(db, ownerId)
    .where('itemId', '=', itemId)
    .where('status', '<>', 'failed')
    .executeTakeFirst();
}

/** Makes the row, in the place of a failed one; nothing where another call has just made it. */
function begin(
  trx: Kysely<Database>,
  {
    ownerId,
    item,
    answers,
    steps,
  }: { ownerId: string; item: CatalogueItem; answers: Answers; steps: readonly Step[] },
): Promise<InstallationRow | undefined> {
  const fresh = {
    version: item.version,
    inputs: JSON.stringify(answers),
    steps: steps.length,
    doing: creating(steps[0]),
  };
  return trx
    .insertInto('installations')
    .values({ ownerId, itemId: item.id, ...fresh })
    .onConflict((conflicting) =>
      conflicting
        .columns(['ownerId', 'itemId'])
        .doUpdateSet({
          ...fresh,
          // Another installation: a job of the failed one finds nothing to do.
          id: sql`uuid7()`,
          createdAt: sql`now()`,
          status: 'installing',
          step: 0,
          error: '',
          url: '',
          receipt: '[]',
        })
        .where('installations.status', '=', 'failed'),
    )
    .returningAll()
    .executeTakeFirst();
}

/**
 * Deletes an installation with everything on its receipt, at once and also while it is being installed: whatever works
 * on it finds it gone. `keepData` leaves what holds data. Throws 404 NOT_INSTALLED.
 */
export async function uninstall(
  ctx: UserContext,
  parts: MarketplaceParts,
  { id, keepData }: { id: string; keepData: boolean },
): Promise<{ success: true }> {
  await inTransaction(ctx, async (inner) => {
    const row = await inner.db
      .deleteFrom('installations')
      .where('ownerId', '=', ctx.ownerId)
      .where('itemId', '=', id)
      .returning('receipt')
      .executeTakeFirst();
    if (!row) throw notFound('NOT_INSTALLED', 'This item is not installed.');
    const goes = row.receipt.filter(({ holdsData }) => !(keepData && holdsData));
    await removeAll(inner, parts, { receipt: goes });
  });
  return { success: true };
}
