import type { GatewayTransaction } from '@nephos/contracts';
import { Earlier } from '@nephos/contracts/implement';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserContext } from '../../src/core/context.ts';
import { Refusal } from '../../src/core/errors.ts';
import { createAccount, listAccounts } from '../../src/domains/payment-gateway/accounts.ts';
import { closeAccount } from '../../src/domains/payment-gateway/close-account.ts';
import { createSendBatches } from '../../src/domains/payment-gateway/gateway-send.ts';
import { receive } from '../../src/domains/payment-gateway/receive.ts';
import { send } from '../../src/domains/payment-gateway/send.ts';
import { cancelPayment, settle } from '../../src/domains/payment-gateway/settlement.ts';
import { readKey } from '../../src/platform/idempotency.ts';
import { elsewhere, LONG, payment, quickRail, receipt } from '../payment-gateway/gateway-fixtures.ts';
import { contextFor, createWorld, type World } from '../world.ts';
import { faultsOfLedger } from './ledger-faults.ts';

const RUNS = LONG ? 512 : 32;
const STEPS = LONG ? 512 : 16;
const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
const ACCOUNTS = 3;
/** Cents in each. */
const BEGINS_WITH = 100;
/** Runs that one person's room for accounts suffices for. */
const RUNS_OF_ONE = 6;

/** What one does; accounts, payments and keys by number, so that they meet. */
const account = fc.nat(ACCOUNTS - 1);
const amount = fc.constantFrom(1, 2, 50, 99, 100, 101);
const key = fc.option(fc.nat(3), { freq: 2 });
const crash = fc.oneof({ arbitrary: fc.constant(false), weight: 4 }, fc.constant(true));
const step = fc.oneof(
  fc.record({ does: fc.constant('receive' as const), account, amount, crash }),
  fc.record({ does: fc.constant('send' as const), account, to: account, amount, key, crash }),
  fc.record({ does: fc.constant('sendOut' as const), account, amount, key, crash }),
  fc.record({ does: fc.constant('cancel' as const), payment: fc.nat(5), crash }),
  fc.record({ does: fc.constant('close' as const), account, crash }),
  fc.record({ does: fc.constant('settle' as const), payment: fc.nat(5), arrives: fc.boolean(), crash }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Purse {
  id: string;
  accountNumber: string;
  bankName: string;
  balance: number;
  pending: number;
  /** Absent: it is open. */
  closed?: boolean;
}

interface Sent {
  id: string;
  purse: Purse;
  amount: number;
  status: GatewayTransaction['status'];
}

/** The whole truth about a few accounts, as simply as it can be said. */
interface Model {
  purses: Purse[];
  /** To other banks. */
  sent: Sent[];
  keys: Map<string, { input: string; answer: string }>;
}

let world: World;
let person: UserContext;
let runs = 0;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.close());

/** Someone whose calls run in this process, with the background work left to the test. */
async function createPerson(): Promise<UserContext> {
  const { user } = await world.as(`Person${runs}`);
  return contextFor(world, user);
}

/** What sends are made with. Those that share their commit with others are made in `db`, too. */
function partsIn(db: UserContext['db']) {
  return { sends: createSendBatches(db), settlement: { begin: async () => {}, sweep: async () => {} } };
}

/** The process dies just before its transaction commits. */
class Crash extends Error {}
const CRASHED = 'crashed';

/** The id of the payment or account, the reason of the refusal, or `CRASHED`. */
async function outcomeOf(
  { crash }: { crash: boolean },
  ctx: UserContext,
  work: (
    ctx: UserContext,
    parts: ReturnType<typeof partsIn>,
  ) => Promise<{ id: string } | Earlier<{ id: string }>>,
): Promise<string> {
  try {
    if (!crash) {
      const answer = await work(ctx, partsIn(ctx.db));
      return (answer instanceof Earlier ? answer.output : answer).id;
    }
    return await ctx.db.transaction().execute(async (db) => {
      await work({ ...ctx, db }, partsIn(db));
      throw new Crash();
    });
  } catch (error) {
    if (error instanceof Crash) return CRASHED;
    if (error instanceof Refusal) return crash ? CRASHED : error.reason;
    throw error;
  }
}

const PAYMENT_ID = expect.stringMatching(/^[0-9a-f-]{36}$/);

function at<T>(values: readonly T[], index: number): T | undefined {
  return values[index % values.length];
}

async function receiveStep(model: Model, step: Extract<Step, { does: 'receive' }>): Promise<void> {
  const purse = model.purses[step.account] as Purse;
  const input = { ...receipt(purse, step.amount), description: '' };
  const outcome = await outcomeOf(step, person, (ctx) => receive(ctx, quickRail(), input));
  if (outcome === CRASHED) return;
  expect(outcome).toEqual(purse.closed ? 'ACCOUNT_CLOSED' : PAYMENT_ID);
  if (!purse.closed) purse.balance += step.amount;
}

function expectedRefusal(from: Purse, to: Purse | undefined, amount: number): string | undefined {
  if (from.closed) return 'ACCOUNT_CLOSED';
  if (from === to) return 'SAME_ACCOUNT';
  if (to?.closed) return 'NO_SUCH_ACCOUNT';
  return from.balance < amount ? 'INSUFFICIENT_FUNDS' : undefined;
}

async function sendStep(model: Model, step: Extract<Step, { does: 'send' | 'sendOut' }>): Promise<void> {
  const { account, amount } = step;
  const from = model.purses[account] as Purse;
  const to = step.does === 'send' ? (model.purses[step.to] as Purse) : undefined;
  const input = { ...payment(from, to ?? elsewhere(), amount), description: '' };
  const key = step.key === null ? undefined : `${runs}-${step.key}`;
  const earlier = key === undefined ? undefined : model.keys.get(key);
  const same = JSON.stringify(input);
  const given = readKey(world.deps.secrets, key, input);
  const outcome = await outcomeOf(step, person, (inside, parts) => send(inside, parts, input, given));
  if (outcome === CRASHED) return;
  if (earlier) {
    expect(outcome).toBe(earlier.input === same ? earlier.answer : 'IDEMPOTENCY_KEY_REUSED');
    return;
  }
  if (key !== undefined) model.keys.set(key, { input: same, answer: outcome });
  const refusal = expectedRefusal(from, to, amount);
  expect(outcome).toEqual(refusal ?? PAYMENT_ID);
  if (refusal) return;
  from.balance -= amount;
  if (to) to.balance += amount;
  else {
    from.pending += amount;
    model.sent.push({ id: outcome, purse: from, amount, status: 'pending' });
  }
}

function end(sent: Sent, status: Sent['status']): void {
  sent.status = status;
  sent.purse.pending -= sent.amount;
  if (status !== 'completed') sent.purse.balance += sent.amount;
}

async function cancelStep(model: Model, step: Extract<Step, { does: 'cancel' }>): Promise<void> {
  const sent = at(model.sent, step.payment);
  if (!sent) return;
  const outcome = await outcomeOf(step, person, (ctx) => cancelPayment(ctx, sent.id));
  if (outcome === CRASHED) return;
  expect(outcome).toBe(sent.status === 'pending' ? sent.id : 'NOT_PENDING');
  if (outcome === sent.id) end(sent, 'cancelled');
}

async function closeStep(model: Model, step: Extract<Step, { does: 'close' }>): Promise<void> {
  const purse = model.purses[step.account] as Purse;
  const outcome = await outcomeOf(step, person, (ctx) => closeAccount(ctx, purse.id));
  if (outcome === CRASHED) return;
  const refusal =
    purse.pending > 0 ? 'PAYMENTS_PENDING' : purse.balance > 0 ? 'ACCOUNT_NOT_EMPTY' : undefined;
  expect(outcome).toBe(refusal ?? purse.id);
  if (!refusal) purse.closed = true;
}

/** A process that dies in it has picked the payment up, and does not know what came of it. */
async function settleStep(model: Model, step: Extract<Step, { does: 'settle' }>): Promise<void> {
  const sent = at(model.sent, step.payment);
  if (!sent) return;
  const rail = {
    ...quickRail(),
    async submit() {
      if (step.crash) throw new Crash();
      return step.arrives ? { status: 'completed' as const } : { status: 'failed' as const, failure: 'No.' };
    },
  };
  const underWay = sent.status === 'pending' || sent.status === 'processing';
  const settling = settle({ db: world.deps.db, rail }, sent.id, new AbortController().signal);
  if (!underWay) return settling;
  if (!step.crash) {
    await settling;
    return end(sent, step.arrives ? 'completed' : 'failed');
  }
  await expect(settling).rejects.toBeInstanceOf(Crash);
  sent.status = 'processing';
}

function take(model: Model, step: Step): Promise<void> {
  switch (step.does) {
    case 'receive':
      return receiveStep(model, step);
    case 'close':
      return closeStep(model, step);
    case 'cancel':
      return cancelStep(model, step);
    case 'settle':
      return settleStep(model, step);
    default:
      return sendStep(model, step);
  }
}

async function accountsById(listed = {}) {
  return new Map((await listAccounts(person, listed)).map((account) => [account.id, account]));
}

async function assertAgreed({ purses, sent }: Model): Promise<void> {
  const open = await accountsById();
  const closed = await accountsById({ closed: true });
  for (const purse of purses) {
    const { id, balance, pending } = purse;
    expect((purse.closed ? closed : open).get(id)).toMatchObject({ balance, pending });
  }
  const rows = await world.deps.db
    .selectFrom('gatewayPayments')
    .select(['id', 'status'])
    .where('outside', '=', true)
    .where('type', '=', 'send')
    .where(
      'virtualAccountId',
      'in',
      purses.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  expect(rows).toEqual(sent.map(({ id, status }) => ({ id, status })));
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
}

async function newModel(): Promise<Model> {
  if (runs % RUNS_OF_ONE === 0) person = await createPerson();
  runs += 1;
  const purses: Purse[] = [];
  for (let number = 0; number < ACCOUNTS; number += 1) {
    const input = { accountName: 'Purse', bankName: 'Virtual Bank', currency: 'USD' as const };
    const purse = await createAccount(person, input);
    // An empty one would be closed before anything happens to it.
    await receive(person, quickRail(), { ...receipt(purse, BEGINS_WITH), description: '' });
    purses.push({ ...purse, balance: BEGINS_WITH });
  }
  return { purses, sent: [], keys: new Map() };
}

test(`${RUNS} histories (TEST_SEED=${seed}) agree with the model after every step`, {
  timeout: LONG ? 3 * 60 * 60_000 : 120_000,
}, async () => {
  const history = fc.array(step, { minLength: 1, maxLength: STEPS, size: 'max' });
  const property = fc.asyncProperty(history, async (steps) => {
    const model = await newModel();
    for (const one of steps) {
      await take(model, one);
      await assertAgreed(model);
    }
  });
  await fc.assert(property, { numRuns: RUNS, seed });
});
