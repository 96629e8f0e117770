import { setTimeout as pause } from 'node:timers/promises';
import type { ReceiptEntry } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { Refusal } from '../../core/errors.ts';
import { inTransaction } from './act-as.ts';
import { stepsOf } from './answers.ts';
import type { Step } from './catalogue/item.ts';
import { make, readyStep } from './make-step.ts';
import type { MarketplaceParts } from './marketplace.ts';
import { assertUnderWay, lockUnderWay, Over, recordDone, recordMade } from './progress.ts';
import type { InstallationRow } from './read.ts';
import { removeAll } from './removal.ts';
import { openAnswers } from './secret-answers.ts';
import { waitFor } from './waiting.ts';

/** One installation that is being worked on, as its owner. */
export interface Run {
  ctx: UserContext;
  parts: MarketplaceParts;
  row: InstallationRow;
  signal: AbortSignal;
}

/** Milliseconds that one resource may take until it can be used. */
const PATIENCE = 15 * 60_000;
const ATTEMPTS = 4;
/** Milliseconds before the second attempt; each later pause is twice the one before. */
const FIRST_PAUSE = 500;

/** Why an installation fails, in the sentence that its owner reads. */
class InstallationFailure extends Error {}

/**
 * Brings an installation to its end: installed, or failed with nothing of it left. Can be cut short at any point and
 * run again; two runs at once do no harm. Rejects when it is to run again.
 */
export async function runInstallation(run: Run): Promise<void> {
  try {
    const steps = stepsAsBegun(run);
    for (const [at, step] of steps.entries()) {
      if (at >= run.row.step) await perform(run, { at, step, next: steps[at + 1] });
    }
  } catch (error) {
    if (error instanceof Over) return;
    if (!(error instanceof InstallationFailure)) throw error;
    await fail(run, error.message);
  }
}

function stepsAsBegun({ parts, row }: Run): readonly Step[] {
  const item = parts.catalogue.find(({ id }) => id === row.itemId);
  if (item?.version === row.version) return stepsOf(item, openAnswers(parts.deployments.secrets, row));
  throw new InstallationFailure('This item was updated while it was being installed. Install it again.');
}

interface Turn {
  at: number;
  step: Step;
  next: Step | undefined;
}

async function perform(run: Run, { at, step, next }: Turn): Promise<void> {
  const { id } = run.row;
  const { db } = run.ctx;
  const entry = await created(run, { at, step });
  const failure = await waitFor(run.ctx, run.parts.notifications, {
    entry,
    assertWanted: () => assertUnderWay(db, id),
    patience: PATIENCE,
    signal: run.signal,
  });
  if (failure !== undefined) throw new InstallationFailure(`${step.label} did not get ready: ${failure}`);
  await recordDone(db, { id, at, next });
}

/** A refusal is final; a fault is tried again a few times, and then final, too. */
async function created(run: Run, { at, step }: Omit<Turn, 'next'>): Promise<ReceiptEntry> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await createOnce(run, { at, step });
    } catch (error) {
      if (error instanceof Over || run.signal.aborted) throw error;
      if (error instanceof Refusal) {
        throw new InstallationFailure(`${step.label} could not be created: ${error.message}`);
      }
      run.parts.log.error({ err: error, installation: run.row.id, step: step.label }, 'a step failed');
      if (attempt === ATTEMPTS) {
        throw new InstallationFailure(
          `${step.label} could not be created: something went wrong on the server.`,
        );
      }
    }
    await pause(FIRST_PAUSE * 2 ** (attempt - 1), undefined, { signal: run.signal });
  }
}

async function createOnce({ ctx, parts, row }: Run, { at, step }: Omit<Turn, 'next'>): Promise<ReceiptEntry> {
  const current = await ctx.db
    .selectFrom('installations')
    .select('receipt')
    .where('id', '=', row.id)
    .executeTakeFirst();
  const ready = await readyStep(ctx, parts, step, current?.receipt ?? []);
  return recordMade(ctx, { id: row.id, at, label: step.label }, (inner) => make(inner, parts, ready));
}

/**
 * Takes back everything on the receipt and says why, in one transaction: it has failed only when nothing is left but what
 * something else uses by now, which is named.
 */
async function fail({ ctx, parts, row }: Run, error: string): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { receipt } = await lockUnderWay(inner.db, row.id);
    const kept = await removeAll(inner, parts, { receipt, keepUsed: true });
    const left = kept.map(({ name }) => ` ${name} is in use, so it was kept.`).join('');
    await inner.db
      .updateTable('installations')
      .set({ status: 'failed', error: error + left, doing: '', receipt: '[]', url: '', secretInputs: '{}' })
      .where('id', '=', row.id)
      .execute();
  });
}
