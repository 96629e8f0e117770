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
import type { CatalogueItem, Step } from './catalogue/item.ts';
import type { MarketplaceParts } from './marketplace.ts';
import { needsOf } from './needs.ts';
import { creating } from './progress.ts';
import type { InstallationQueue } from './queue.ts';
import { type InstallationRow, installationsOf, readInstallation, readInstallations } from './read.ts';
import { removeAll } from './removal.ts';
import { sealAnswers } from './secret-answers.ts';

/** The catalogue, with what this server lacks for each item, and how many accounts have it. */
export async function listItems(ctx: UserContext, parts: MarketplaceParts): Promise<MarketplaceItem[]> {
  const counts = await ctx.db
    .selectFrom('installations')
    .select(['itemId', ({ fn }) => fn.countAll<number>().as('count')])
    .where('status', '<>', 'failed')
    .groupBy('itemId')
    .execute();
  const countOf = new Map(counts.map(({ itemId, count }) => [itemId, count]));
  return parts.catalogue.map((item) => {
    const steps = stepsOf(item);
    const { recipe } = item;
    return {
      ...item,
      installCount: countOf.get(item.id) ?? 0,
      creates: steps.map(({ kind, label }) => ({ kind, label })),
      needs: needsOf(ctx, parts, steps),
      inputs: item.questions.map(({ answer: _, ...input }) => input),
      app: recipe ? { disk: recipe.disk, firstSteps: recipe.firstSteps } : null,
    };
  });
}

/** What the signed-in person has installed, newest first; `attempts` adds what is under way or failed. */
export async function listInstallations(
  ctx: UserContext,
  parts: MarketplaceParts,
  { attempts = false }: { attempts?: boolean | undefined } = {},
): Promise<Installation[]> {
  const all = installationsOf(ctx.db, ctx.ownerId).orderBy('id', 'desc');
  const rows = await (attempts ? all : all.where('status', '=', 'installed')).execute();
  return readInstallations(ctx, parts, rows);
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
  const item = parts.catalogue.find((one) => one.id === id);
  if (!item) throw notFound();
  const { ownerId } = ctx;
  return atomically(ctx.db, async (trx) => {
    const there = await findInstallation(trx, ownerId, id);
    const inside = { ...ctx, db: trx };
    if (there) return asFound(inside, parts, there);
    await assertMayInstall(inside, parts);
    const answers = readAnswers(item, inputs);
    const steps = stepsOf(item, answers);
    assertCanBeMade(ctx, parts, steps);
    const sealed = sealAnswers(parts.deployments.secrets, { ownerId, itemId: id }, item, answers);
    const begun = await begin(trx, { ownerId, item, steps, ...sealed });
    if (!begun) return asFound(inside, parts, await findInstallation(trx, ownerId, id));
    await parts.queue.run(trx, begun.id);
    return readInstallation(inside, parts, begun);
  });
}

async function asFound(
  ctx: UserContext,
  parts: MarketplaceParts,
  row: InstallationRow | undefined,
): Promise<Earlier<Installation>> {
  // It was uninstalled after it had kept ours from being made.
  if (!row) throw unavailableSince('the installation was taken back at this moment');
  return found(await readInstallation(ctx, parts, row));
}

/** Throws 403 TRIAL_ENDED. */
export async function assertMayInstall(
  { db, ownerId }: UserContext,
  { settings }: MarketplaceParts,
): Promise<void> {
  if (!(await mayInstall({ db, settings }, ownerId))) throw forbidden('TRIAL_ENDED', TRIAL_ENDED);
}

/** Throws 403 where this person's code is not run, and 503 for what this server lacks. */
export function assertCanBeMade(ctx: UserContext, parts: MarketplaceParts, steps: readonly Step[]): void {
  const { settings, projects } = parts;
  if (steps.some(({ kind }) => kind === 'project'))
    assertMayRunCode(settings, ctx.workspace, projects.deployer.isolation(), { builds: true });
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
    steps,
    ...answers
  }: {
    ownerId: string;
    item: CatalogueItem;
    steps: readonly Step[];
  } & ReturnType<typeof sealAnswers>,
): Promise<InstallationRow | undefined> {
  const fresh = {
    version: item.version,
    ...answers,
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
