import { SANDBOX_FAILURES } from '@nephos/contracts';
import { createTestDatabase } from '@nephos/db/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Outcome, Rail } from '../../src/domains/payment-gateway/rail.ts';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { elsewhere, GATEWAY, openAccount, payment, quickRail, settled, tally } from './gateway-fixtures.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let world: World;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
  await world.close();
  await database.drop();
});

async function open(rail: Rail): Promise<void> {
  world = await createWorld({ databaseUrl: database.url, running: true, overrides: { rail } });
}

/** A rail whose outcomes the test gives. */
function scriptedRail() {
  const asked: { id: string; conclude: (outcome: Outcome) => void }[] = [];
  const rail: Rail = {
    ...quickRail(),
    submit: ({ id }, signal) =>
      new Promise((resolve, reject) => {
        asked.push({ id, conclude: resolve });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  return { rail, asked };
}

async function purse(person: Person, { id }: { id: string }) {
  const { balance, pending } = await person.rpc.paymentGateway.virtualAccount.query({ id });
  return { balance, pending };
}

function cancel(person: Person, id: string) {
  return person.rest(`POST ${GATEWAY}/transactions/${id}/cancel`);
}

test('holds the money of a send, pays it out, and brings it back from each number that fails', async () => {
  await open(quickRail());
  const ada = await world.as('Ada');
  const from = await openAccount(ada, { balance: 1000 });
  const numbers = Object.keys(SANDBOX_FAILURES);
  const sent = await Promise.all(
    ['FINE-0001', ...numbers, 'account-closed-0001'].map((number) =>
      ada.rpc.paymentGateway.send.mutate(payment(from, elsewhere(number), 100)),
    ),
  );
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(['pending']));
  const ends = await Promise.all(sent.map(({ id }) => settled(ada, id)));
  expect(ends.map((end) => [end.status, end.failure])).toEqual([
    ['completed', ''],
    ...Object.values(SANDBOX_FAILURES).map((failure) => ['failed', failure]),
    ['failed', SANDBOX_FAILURES['ACCOUNT-CLOSED-0001']],
  ]);
  expect(await purse(ada, from)).toEqual({ balance: 900, pending: 0 });
});

test('a pending send can be cancelled, a picked up one cannot, and neither twice', async () => {
  const { rail, asked } = scriptedRail();
  await open({ ...rail, pickUpAfter: 3600 });
  const ada = await world.as('Ada');
  const from = await openAccount(ada, { balance: 100 });
  const sent = await ada.rpc.paymentGateway.send.mutate(payment(from, elsewhere(), 70));
  expect(await purse(ada, from)).toEqual({ balance: 30, pending: 70 });
  expect(await cancel(ada, sent.id)).toMatchObject({
    status: 200,
    body: { id: sent.id, status: 'cancelled' },
  });
  expect(await purse(ada, from)).toEqual({ balance: 100, pending: 0 });
  expect(await cancel(ada, sent.id)).toMatchObject({ status: 409, body: { code: 'NOT_PENDING' } });
  const [received] = (await ada.rpc.paymentGateway.transactions.query()).toReversed();
  expect((await cancel(ada, received?.id ?? '')).status).toBe(409);
  expect(asked).toEqual([]);
});

test('an account whose payments are on their way is not closed, though nothing else is in it', async () => {
  const { rail, asked } = scriptedRail();
  await open({ ...rail, pickUpAfter: 0 });
  const ada = await world.as('Ada');
  const from = await openAccount(ada, { balance: 70 });
  await ada.rpc.paymentGateway.send.mutate(payment(from, elsewhere(), 70));
  await expect.poll(() => asked.length).toBe(1);
  const close = () => ada.rest(`POST ${GATEWAY}/virtual-accounts/${from.id}/close`);
  const message = 'Payments from this account are still pending. Wait for them to finish, or cancel them.';
  expect(await close()).toMatchObject({ status: 409, body: { code: 'PAYMENTS_PENDING', message } });
  asked[0]?.conclude({ status: 'failed', failure: 'No.' });
  await expect.poll(() => purse(ada, from)).toEqual({ balance: 70, pending: 0 });
  expect(await close()).toMatchObject({ status: 409, body: { code: 'ACCOUNT_NOT_EMPTY' } });
});

test('fifty cancels against the pick-up: each send has exactly one outcome', async () => {
  await open(quickRail());
  const ada = await world.as('Ada');
  const from = await openAccount(ada, { balance: 50 });
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const { id } = await ada.rpc.paymentGateway.send.mutate(payment(from, elsewhere(), 1));
      const answer = await cancel(ada, id);
      const end = await settled(ada, id);
      expect(end.status).toBe(answer.status === 200 ? 'cancelled' : 'completed');
      return answer;
    }),
  );
  const { 200: cancelled = 0, 409: paid = 0 } = tally(answers);
  expect(cancelled + paid).toBe(50);
  expect(await purse(ada, from)).toEqual({ balance: cancelled, pending: 0 });
});

test('a rail that does not answer is asked again; one that was stopped meanwhile, by the next process', {
  timeout: 120_000,
}, async () => {
  const first = scriptedRail();
  await open(first.rail);
  const ada = await world.as('Ada');
  const from = await openAccount(ada, { balance: 100 });
  const { id } = await ada.rpc.paymentGateway.send.mutate(payment(from, elsewhere(), 100));
  await expect.poll(() => first.asked.length).toBe(1);
  expect((await ada.rpc.paymentGateway.transactions.query())[0]?.status).toBe('processing');
  expect((await cancel(ada, id)).status).toBe(409);
  await world.close();

  const second = scriptedRail();
  let failures = 1;
  const unsteady: Rail = {
    ...second.rail,
    submit: (row, signal) =>
      failures-- > 0 ? Promise.reject(new Error('no answer')) : second.rail.submit(row, signal),
  };
  await open(unsteady);
  const { rest } = world.anyone;
  await expect.poll(() => second.asked.length).toBe(1);
  expect(second.asked[0]?.id).toBe(id);
  second.asked[0]?.conclude({ status: 'failed', failure: 'Not today.' });
  const list = () => rest(`GET ${GATEWAY}/transactions`, { headers: { cookie: ada.cookie } });
  await expect
    .poll(async () => (await list()).body)
    .toMatchObject([{ status: 'failed', failure: 'Not today.' }, { type: 'receive' }]);
});

test('only the sandbox rail lets one receive', async () => {
  await open({ ...quickRail(), sandbox: false });
  const ada = await world.as('Ada');
  await expect(openAccount(ada, { balance: 1 })).rejects.toMatchObject({ data: { httpStatus: 403 } });
});
