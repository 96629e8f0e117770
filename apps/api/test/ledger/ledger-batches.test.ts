import { MAX_FUNDS } from '@nephos/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatewaySend, type Send } from '../../src/domains/payment-gateway/gateway-send.ts';
import { elsewhere, fund, LONG, openAccount } from '../payment-gateway/gateway-fixtures.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { faultsOfLedger } from './ledger-faults.ts';

const RUNS = LONG ? 1000 : 24;
const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
/** Runs that one person's room for accounts suffices for. */
const RUNS_OF_ONE = 3;

/** By number, so that they meet: two with test funds, an empty one, one that is nearly full, a closed one. */
const ACCOUNTS = 5;
const FULL = 3;
const CLOSED = 4;
/** Cents. */
const ROOM = 50;
const BEGIN_WITH = [200, 100, 0, MAX_FUNDS - ROOM, 0] as const;

const someSend = fc.record({
  from: fc.oneof({ arbitrary: fc.nat(FULL), weight: 9 }, fc.constant(CLOSED)),
  /** The number behind the last is an account of another bank. */
  to: fc.oneof({ arbitrary: fc.nat(FULL), weight: 7 }, fc.constant(CLOSED), fc.constant(ACCOUNTS)),
  amount: fc.constantFrom(1, 9, 10, 49, 51, 100),
  key: fc.oneof({ arbitrary: fc.constant(null), weight: 2 }, fc.nat(5)),
  fingerprint: fc.oneof({ arbitrary: fc.constant('one'), weight: 9 }, fc.constant('other')),
  carriesOn: fc.boolean(),
  spelling: fc.constantFrom('Virtual Bank', 'Virtual Bank', 'VIRTUAL \t bank', 'Another Bank'),
  stranger: fc.oneof({ arbitrary: fc.constant(false), weight: 9 }, fc.constant(true)),
});
type SomeSend = typeof someSend extends fc.Arbitrary<infer S> ? S : never;

interface Purse {
  id: string;
  accountNumber: string;
  bankName: string;
  available: number;
  held: number;
  holdsTestFunds: boolean;
  closed: boolean;
}

type Answer = { refusal: string } | { reference: string };

interface Model {
  purses: Purse[];
  /** By owner and key. */
  answers: Map<string, { fingerprint: string; answer: Answer }>;
}

let world: World;
let person: Person;
let stranger: Person;
let runs = 0;
let references = 0;

beforeAll(async () => {
  world = await createWorld();
  stranger = await world.as('Stranger');
});

afterAll(() => world.close());

async function newModel(): Promise<Model> {
  if (runs % RUNS_OF_ONE === 0) person = await world.as(`Sender${runs}`);
  runs += 1;
  const purses: Purse[] = [];
  for (const [index, balance] of BEGIN_WITH.entries()) {
    const tested = index < 2;
    const account = await openAccount(person, { balance: tested ? balance : 0 });
    if (!tested && balance > 0) await fund(world.deps.db, account.id, balance);
    if (index === CLOSED) await person.rpc.paymentGateway.closeVirtualAccount.mutate({ id: account.id });
    const { id, accountNumber, bankName } = account;
    const closed = index === CLOSED;
    purses.push({ id, accountNumber, bankName, available: balance, held: 0, holdsTestFunds: tested, closed });
  }
  return { purses, answers: new Map() };
}

function sendOf({ purses }: Model, some: SomeSend): Send {
  references += 1;
  const to = purses[some.to] ?? elsewhere();
  return {
    owner_id: (some.stranger ? stranger : person).user.id,
    account_id: purses[some.from]?.id ?? '',
    amount: some.amount,
    number: to.accountNumber,
    name: 'Receiver',
    bank: some.spelling,
    description: '',
    reference: `NP-batch-${references}`,
    key: some.key === null ? null : `${runs}-${some.key}`,
    fingerprint: some.key === null ? null : some.fingerprint,
    outside: some.carriesOn,
    audit: 'null',
  };
}

/** What one send after the other is to be answered, as simply as it can be said. */
function judge({ purses }: Model, some: SomeSend, { reference }: Send): Answer {
  const from = some.stranger ? undefined : purses[some.from];
  const to = some.spelling === 'Another Bank' ? undefined : purses[some.to];
  const { amount } = some;
  if (!from) return { refusal: 'NOT_FOUND' };
  if (from.closed) return { refusal: 'ACCOUNT_CLOSED' };
  if (to === from) return { refusal: 'SAME_ACCOUNT' };
  if (to?.closed) return { refusal: 'NO_SUCH_ACCOUNT' };
  if (!to && !some.carriesOn) return { refusal: 'OUTSIDE' };
  if (amount > from.available) return { refusal: 'INSUFFICIENT_FUNDS' };
  if (to && to.available + to.held + amount > MAX_FUNDS) return { refusal: 'LIMIT' };
  from.available -= amount;
  if (to) {
    to.available += amount;
    to.holdsTestFunds ||= from.holdsTestFunds;
  } else from.held += amount;
  return { reference };
}

function expected(model: Model, some: SomeSend, send: Send) {
  if (send.key === null) return { replayed: false, ...judge(model, some, send) };
  const key = `${send.owner_id} ${send.key}`;
  const earlier = model.answers.get(key);
  const fingerprint = send.fingerprint ?? '';
  if (earlier && earlier.fingerprint !== fingerprint) {
    return { replayed: false, refusal: 'IDEMPOTENCY_KEY_REUSED' };
  }
  if (earlier) return { replayed: true, ...earlier.answer };
  const answer = judge(model, some, send);
  if (!('refusal' in answer && answer.refusal === 'OUTSIDE')) model.answers.set(key, { fingerprint, answer });
  return { replayed: false, ...answer };
}

async function assertAgreed({ purses }: Model): Promise<void> {
  const ids = purses.map(({ id }) => id);
  const rows = await world.deps.db
    .selectFrom('virtualAccounts as v')
    .innerJoin('ledgerAccounts as a', 'a.id', 'v.availableId')
    .innerJoin('ledgerAccounts as h', 'h.id', 'v.heldId')
    .select(['v.id', 'v.holdsTestFunds', 'a.balance as available', 'h.balance as held'])
    .where('v.id', 'in', ids)
    .execute();
  const found = ids.map((id) => rows.find((row) => row.id === id));
  expect(found).toEqual(
    purses.map(({ id, holdsTestFunds, available, held }) => ({ id, holdsTestFunds, available, held })),
  );
}

test(`${RUNS} histories of batches (TEST_SEED=${seed}) are answered as one send after the other`, {
  timeout: LONG ? 3 * 60 * 60_000 : 60_000,
}, async () => {
  const batches = fc.array(fc.array(someSend, { minLength: 1, maxLength: 24, size: 'max' }), {
    minLength: 1,
    maxLength: 3,
    size: 'max',
  });
  const property = fc.asyncProperty(batches, async (history) => {
    const model = await newModel();
    for (const batch of history) {
      const sends = batch.map((some) => sendOf(model, some));
      const answers = batch.map((some, index) => expected(model, some, sends[index] as Send));
      const outcomes = await gatewaySend(world.deps.db, sends);
      expect(
        outcomes.map((outcome) => ({
          replayed: outcome.replayed,
          ...(outcome.refusal === null ? { reference: outcome.reference } : { refusal: outcome.refusal }),
        })),
      ).toEqual(answers);
    }
    await assertAgreed(model);
  });
  // What is held counts towards what an account may hold, also where the batch itself held it.
  const plain = {
    key: null,
    fingerprint: 'one',
    spelling: 'Virtual Bank',
    stranger: false,
    carriesOn: true,
  } as const;
  const holding: SomeSend[] = [
    { ...plain, from: FULL, to: ACCOUNTS, amount: 10 },
    { ...plain, from: 0, to: FULL, amount: 51 },
  ];
  await fc.assert(property, {
    numRuns: RUNS,
    seed,
    examples: [[[holding]]],
    interruptAfterTimeLimit: 30_000,
  });
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
});
