import { PLANS, RATE_CARD, type Subscription, TRIAL_DAYS, USAGE_TYPES } from '@nephos/contracts';
import { byteSize } from '../../../../platform/byte-size.ts';
import { dollarsOf } from '../../../billing/dollars.ts';
import type { Answer, Intent, LocalTurn } from '../intent.ts';
import { bullets, counted, paragraphs } from '../markdown.ts';
import { type Reading, read, readNewest } from '../read.ts';

function dollars(cents: number): string {
  return `$${dollarsOf(cents).toFixed(2)}`;
}

function sizeOf(limit: number | null): string {
  return limit === null ? 'any size' : byteSize(limit);
}

function renewalOf({ status, renewing, renewalDate, cancelAtPeriodEnd }: Subscription): string {
  const day = renewalDate.slice(0, 10);
  if (status === 'past_due') return `its renewal was due on ${day}, and the last charge failed.`;
  if (renewing) return `its renewal, due on ${day}, is not confirmed yet, and it stays active meanwhile.`;
  return `it ${cancelAtPeriodEnd ? 'ends' : 'renews'} on ${day}.`;
}

/** By what the person may use the product, in a sentence. */
async function* accessOf(turn: LocalTurn): Reading<string> {
  const { enabled } = yield* read(turn, ['billing', 'status'], {});
  if (!enabled)
    return 'Billing is switched off on this server: no trial, no limits of a plan, and nothing is charged.';
  const subscription = yield* read(turn, ['billing', 'activeSubscription'], {});
  if (subscription) {
    const { planTier, amount } = subscription;
    return `Your plan is **${PLANS[planTier].name}** at ${dollars(amount)} a month; ${renewalOf(subscription)}`;
  }
  const { trialActive, trialEndDate } = yield* read(turn, ['auth', 'user'], {});
  const until = trialEndDate?.slice(0, 10) ?? '';
  return trialActive
    ? `You are in the ${TRIAL_DAYS}-day free trial until ${until}, with the limits of Starter.`
    : 'You have no subscription, and your trial has ended; **Billing** has the plans.';
}

export const cost: Intent = {
  name: 'cost',
  example: 'What does this cost me?',
  scopes: ['general'],
  matches: [
    ['cost'],
    ['cost', 'last'],
    ['cost', 'usage'],
    ['cost', 'database'],
    ['cost', 'plan'],
    ['what', 'cost'],
  ],
  unless: ['money', 'advice'],
  async *answer(turn): Answer {
    const text = yield* accessOf(turn);
    const { months, percentChange, hasHistory, activeResources } = yield* read(
      turn,
      ['billing', 'summary'],
      {},
    );
    const thisMonth = months.at(-1);
    const change =
      percentChange === null
        ? ''
        : ` (${percentChange >= 0 ? '+' : ''}${percentChange.toFixed(0)} % against last month)`;
    return paragraphs(
      text,
      hasHistory && thisMonth
        ? `Usage this month: **${dollars(thisMonth.cost)}**${change}, with ${counted(activeResources, 'active resource')}.`
        : 'Nothing was metered yet.',
      'Usage is metered by the hour:',
      bullets(
        USAGE_TYPES.map(
          (type) =>
            `${type}: ${counted(RATE_CARD[type].cents, 'cent')} per ${RATE_CARD[type].unit.replace(/s$/, '')}`,
        ),
      ),
    );
  },
};

export const limits: Intent = {
  name: 'limits',
  example: 'What does my plan allow, and how much of it do I use?',
  scopes: ['general'],
  matches: [
    ['plan'],
    ['limit', 'plan'],
    ['limit', 'project'],
    ['limit', 'file'],
    ['limit', 'database'],
    ['limit', 'usage'],
    ['limit', 'deploy'],
    ['what', 'plan'],
    ['list', 'plan'],
    ['have', 'plan'],
    ['usage', 'plan'],
    ['limit', 'plan', 'usage'],
    ['limit', 'plan', 'usage', 'cost'],
  ],
  matchesShort: [['limit']],
  unless: ['slow'],
  async *answer(turn): Answer {
    const text = yield* accessOf(turn);
    const { projects, databases, storage } = yield* read(turn, ['billing', 'limits'], {});
    const { enabled } = yield* read(turn, ['billing', 'status'], {});
    const used = bullets([
      `Projects: ${projects.used} of ${projects.limit ?? 'any number'}`,
      `Files and images: **${byteSize(storage.used)}** of ${sizeOf(storage.limit)}`,
      `Databases: ${databases.used} of ${databases.limit}${enabled ? ', in every plan' : ''}`,
    ]);
    if (!enabled) return paragraphs(text, used);
    return paragraphs(
      text,
      used,
      'The plans:',
      bullets(
        Object.values(PLANS).map(
          ({ name, price, deployments: most, storage: bytes }) =>
            `${name}, ${dollars(price)} a month: ${most ?? 'unlimited'} deployments, ${byteSize(bytes)} for files and images`,
        ),
      ),
      'What is full refuses more, and deletes nothing. I change no plan; **Billing** does.',
    );
  },
};

export const storageUse: Intent = {
  name: 'storage-use',
  example: 'How much storage do I use?',
  scopes: ['general'],
  matches: [
    ['file', 'usage'],
    ['file', 'cost', 'usage'],
    ['file', 'limit', 'usage'],
    ['image', 'usage'],
    ['image', 'cost', 'usage'],
    ['image', 'size', 'usage'],
  ],
  unless: ['database'],
  async *answer(turn): Answer {
    const { storage } = yield* read(turn, ['billing', 'limits'], {});
    const text = yield* accessOf(turn);
    const { rows: files, isAll } = yield* readNewest(turn, 'storage');
    const bytes = files.reduce((sum, { fileSize }) => sum + fileSize, 0);
    const inFiles = isAll ? `, ${byteSize(bytes)} of it in ${counted(files.length, 'file')}` : '';
    return paragraphs(
      `Your files and images take **${byteSize(storage.used)}** of ${sizeOf(storage.limit)}${inFiles}.`,
      text,
    );
  },
};
