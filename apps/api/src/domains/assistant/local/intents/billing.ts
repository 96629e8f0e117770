import { GB, PLANS, RATE_CARD, type Subscription, TRIAL_DAYS, USAGE_TYPES } from '@nephos/contracts';
import { byteSize } from '../../../../platform/byte-size.ts';
import { dollarsOf } from '../../../billing/dollars.ts';
import type { Answer, Intent, LocalTurn } from '../intent.ts';
import { bullets, counted, paragraphs } from '../markdown.ts';
import { PAGE_ROWS, type Reading, read } from '../read.ts';

function dollars(cents: number): string {
  return `$${dollarsOf(cents).toFixed(2)}`;
}

interface Access {
  /** In a sentence. */
  text: string;
  tier: Subscription['planTier'];
}

async function* accessOf(turn: LocalTurn): Reading<Access> {
  const subscription = yield* read(turn, ['billing', 'activeSubscription'], {});
  if (subscription) {
    const { planTier, amount, status, renewalDate, cancelAtPeriodEnd } = subscription;
    const then = cancelAtPeriodEnd ? 'ends' : 'renews';
    const late = status === 'past_due' ? ' Its last charge failed.' : '';
    return {
      tier: planTier,
      text: `Your plan is **${PLANS[planTier].name}** at ${dollars(amount)} a month; it ${then} on ${renewalDate.slice(0, 10)}.${late}`,
    };
  }
  const { trialActive, trialEndDate } = yield* read(turn, ['auth', 'user'], {});
  const until = trialEndDate?.slice(0, 10) ?? '';
  const trial = trialActive
    ? `You are in the ${TRIAL_DAYS}-day free trial until ${until}, with the limits of Starter.`
    : 'You have no subscription, and your trial has ended; **Billing** has the plans.';
  return { tier: 'starter', text: trial };
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
    const { text } = yield* accessOf(turn);
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
  example: 'What are the limits of my plan?',
  scopes: ['general'],
  matches: [
    ['plan'],
    ['limit', 'plan'],
    ['limit', 'project'],
    ['limit', 'file'],
    ['limit', 'usage'],
    ['limit', 'deploy'],
    ['what', 'plan'],
    ['list', 'plan'],
    ['have', 'plan'],
  ],
  matchesShort: [['limit']],
  unless: ['slow'],
  async *answer(turn): Answer {
    const { tier, text } = yield* accessOf(turn);
    const projects = yield* read(turn, ['projects', 'list'], { limit: PAGE_ROWS });
    const { deployments, storage } = PLANS[tier];
    const used = `${projects.length}${projects.length === PAGE_ROWS ? ' or more' : ''}`;
    return paragraphs(
      text,
      bullets([
        `Projects: ${used} of ${deployments ?? 'any number'}`,
        `File storage: up to ${storage / GB} GB`,
      ]),
      bullets(
        Object.values(PLANS).map(
          ({ name, price, deployments: most, storage: bytes }) =>
            `${name}, ${dollars(price)} a month: ${most ?? 'unlimited'} deployments, ${bytes / GB} GB`,
        ),
      ),
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
    ['file', 'limit'],
    ['file', 'limit', 'usage'],
  ],
  unless: ['database'],
  async *answer(turn): Answer {
    const files = yield* read(turn, ['storage', 'list'], { limit: PAGE_ROWS });
    const { tier, text } = yield* accessOf(turn);
    const bytes = files.reduce((sum, { fileSize }) => sum + fileSize, 0);
    const all = files.length < PAGE_ROWS;
    return paragraphs(
      all
        ? `Your ${counted(files.length, 'file')} take **${byteSize(bytes)}** of ${PLANS[tier].storage / GB} GB.`
        : `Your newest ${files.length} files take **${byteSize(bytes)}** of ${PLANS[tier].storage / GB} GB; **Storage** shows the others.`,
      text,
    );
  },
};
