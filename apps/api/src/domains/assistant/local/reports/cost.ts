import { PLANS, RATE_CARD, type Subscription, TRIAL_DAYS, USAGE_TYPES } from '@nephos/contracts';
import { byteSize } from '../../../../platform/byte-size.ts';
import { dollarsOf } from '../../../billing/payments.ts';
import { bullets, counted, paragraphs } from './markdown.ts';
import { type Reading, read } from './read.ts';
import type { LocalTurn, Topic } from './report.ts';

export const cost: Topic = {
  name: 'cost',
  example: 'What does my plan allow, and what does it cost me?',
  scopes: ['general'],
  keywords: [
    'cost*|price*|pricing|bill|billing|invoice*|spend|spent|charge*|expensive',
    'how much pay|use|used|storage|space',
    'plan|plans|tier|subscription|trial|quota*|limit|limits',
  ],
  async *answer(turn) {
    const { enabled } = yield* read(turn, ['billing', 'status'], {});
    const { projects, databases, storage } = yield* read(turn, ['billing', 'limits'], {});
    const use = bullets([
      `Projects: ${projects.used}${projects.limit === null ? ' (no limit)' : ` of ${projects.limit}`}`,
      `Files and images: **${byteSize(storage.used)}**${storage.limit === null ? ' (no limit)' : ` of ${byteSize(storage.limit)}`}`,
      `Databases: ${databases.used} of ${databases.limit}`,
    ]);
    if (!enabled) {
      return paragraphs(
        'Billing is off on this server: nothing is charged and no plan limits apply.',
        use,
        'What each resource used in each hour is on **Billing**.',
      );
    }
    return paragraphs(yield* accessOf(turn), use, yield* usageOf(turn), RATES, PLAN_LIST);
  },
};

const RATES = paragraphs(
  'Usage is metered by the hour:',
  bullets(
    USAGE_TYPES.map((type) => {
      const { cents, unit } = RATE_CARD[type];
      return `${type}: ${counted(cents, 'cent')} per ${unit.replace(/s$/, '')}`;
    }),
  ),
);

const PLAN_LIST = paragraphs(
  'The plans:',
  bullets(
    Object.values(PLANS).map(
      ({ name, price, deployments, storage }) =>
        `${name}, ${dollars(price)} a month: ${deployments ?? 'unlimited'} deployments, ${byteSize(storage)} for files and images`,
    ),
  ),
  'When you reach a limit, nothing is deleted, but you can’t add more. Change your plan on **Billing**.',
);

function dollars(cents: number): string {
  return `$${dollarsOf(cents).toFixed(2)}`;
}

/** By what the person may use the product, in a sentence. */
async function* accessOf(turn: LocalTurn): Reading<string> {
  const subscription = yield* read(turn, ['billing', 'activeSubscription'], {});
  if (subscription) {
    const { planTier, amount } = subscription;
    return `Your plan is **${PLANS[planTier].name}** at ${dollars(amount)} a month; ${renewalOf(subscription)}`;
  }
  const { trialActive, trialEndDate } = yield* read(turn, ['auth', 'user'], {});
  return trialActive
    ? `You are in the ${TRIAL_DAYS}-day free trial until ${trialEndDate?.slice(0, 10) ?? ''}, with the limits of Starter.`
    : 'You have no subscription, and your trial has ended. The plans are on **Billing**.';
}

function renewalOf({ status, renewing, renewalDate, cancelAtPeriodEnd }: Subscription): string {
  const day = renewalDate.slice(0, 10);
  if (status === 'past_due') return `its renewal was due on ${day}, and the last charge failed.`;
  if (renewing)
    return `its renewal, due on ${day}, isn’t confirmed yet. Your plan stays active in the meantime.`;
  return `it ${cancelAtPeriodEnd ? 'ends' : 'renews'} on ${day}.`;
}

async function* usageOf(turn: LocalTurn): Reading<string> {
  const summary = yield* read(turn, ['billing', 'summary'], {});
  const month = summary.months.at(-1);
  if (!summary.hasHistory || !month) return 'No usage recorded yet.';
  const { usageChange, activeResources } = summary;
  const sign = (usageChange ?? 0) >= 0 ? '+' : '';
  const change = usageChange === null ? '' : ` (${sign}${usageChange.toFixed(0)}% from last month)`;
  return `Metered usage this month (not charged): **${dollars(month.cost)}**${change}, with ${counted(activeResources, 'active resource')}.`;
}
