import { MAX_VIRTUAL_ACCOUNTS, MAX_VIRTUAL_ACCOUNTS_EVER } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFunds } from '../../src/domains/ledger/ledger.ts';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { createWorld, type Person, type World } from '../world.ts';
import {
  elsewhere,
  GATEWAY,
  openAccount,
  payment,
  quickRail,
  receipt,
  send,
  settled,
} from './gateway-fixtures.ts';

let world: World;
let admin: Person;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld({ running: true, overrides: { rail: quickRail() } });
  admin = await world.as('Admin');
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterAll(async () => {
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
  await world.close();
});

const NOBODYS = '0197a000-0000-7000-8000-000000000001';

describe('virtual accounts', () => {
  test('are opened empty, with a number of ten digits, through both doors', async () => {
    const byRest = await ada.rest(`POST ${GATEWAY}/virtual-accounts`, {
      body: { accountName: ' Savings ', bankName: '', currency: 'USD', balance: 5, ownerId: bob.user.id },
    });
    expect(byRest).toMatchObject({
      status: 201,
      body: {
        accountName: 'Savings',
        bankName: 'Virtual Bank',
        accountNumber: expect.stringMatching(/^\d{10}$/),
        balance: 0,
        pending: 0,
        currency: 'USD',
        holdsTestFunds: false,
      },
    });
    const byRpc = await ada.rpc.paymentGateway.createVirtualAccount.mutate({ accountName: 'Rent' });
    const list = await ada.rpc.paymentGateway.virtualAccounts.query();
    expect(list.slice(0, 2)).toEqual([byRpc, byRest.body]);
    expect(await ada.rpc.paymentGateway.virtualAccounts.query({ limit: 1, cursor: byRpc.id })).toEqual([
      byRest.body,
    ]);
    expect((await ada.rest(`GET ${GATEWAY}/virtual-accounts/${byRpc.id}`)).body).toEqual(byRpc);
  });

  test.each([
    {},
    { accountName: '  ' },
    { accountName: 'x'.repeat(101) },
    { accountName: 'A', currency: 'EUR' },
  ])('are refused with %j', async (body) => {
    const answer = await ada.rest(`POST ${GATEWAY}/virtual-accounts`, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
  });

  test('are twenty at most, also when asked for at once', async () => {
    const carol = await world.as('Carol');
    const answers = await Promise.all(
      Array.from({ length: MAX_VIRTUAL_ACCOUNTS + 3 }, () =>
        carol.rest(`POST ${GATEWAY}/virtual-accounts`, { body: { accountName: 'One of many' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_VIRTUAL_ACCOUNTS);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 403,
      body: {
        code: 'PLAN_LIMIT_REACHED',
        message: 'You can have up to 20 open virtual accounts. Close one you no longer need.',
      },
    });
    const [open, ...others] = await carol.rpc.paymentGateway.virtualAccounts.query();
    expect(others).toHaveLength(MAX_VIRTUAL_ACCOUNTS - 1);
    // A closed one leaves room for another.
    const room = async () => (await carol.rpc.billing.limits.query()).virtualAccounts;
    expect(await room()).toEqual({ used: MAX_VIRTUAL_ACCOUNTS, limit: MAX_VIRTUAL_ACCOUNTS });
    await carol.rpc.paymentGateway.closeVirtualAccount.mutate({ id: open?.id ?? '' });
    expect(await room()).toEqual({ used: MAX_VIRTUAL_ACCOUNTS - 1, limit: MAX_VIRTUAL_ACCOUNTS });
    expect((await openAccount(carol)).balance).toBe(0);
    await expect(openAccount(carol)).rejects.toThrow('You can have up to 20 open virtual accounts.');
  });

  test('are a thousand at most with those that are closed', async () => {
    const hob = await world.as('Hob');
    const { id } = await openAccount(hob);
    await world.deps.db.transaction().execute(async (trx) => {
      for (let closed = 0; closed < MAX_VIRTUAL_ACCOUNTS_EVER - 2; closed += 1) {
        const accountNumber = `closed-${closed}`;
        await trx
          .insertInto('virtualAccounts')
          .values({
            ...(await openFunds(trx)),
            ownerId: hob.user.id,
            accountName: 'Closed',
            bankName: '',
            accountNumber,
          })
          .execute();
      }
      await sql`update virtual_accounts set closed_at = now() where owner_id = ${hob.user.id} and id <> ${id}`.execute(
        trx,
      );
    });
    const body = { accountName: 'Another' };
    const open = () => hob.rest(`POST ${GATEWAY}/virtual-accounts`, { body });
    const answers = await Promise.all([open(), open()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403]);
    expect(await open()).toMatchObject({
      status: 403,
      body: {
        code: 'PLAN_LIMIT_REACHED',
        message:
          "You've reached the limit of 1,000 virtual accounts, including closed ones. Use an account you have open.",
      },
    });
  });

  test('outlive whoever would delete their owner', async () => {
    const owner = ada.user.id;
    await expect(world.deps.db.deleteFrom('users').where('id', '=', owner).execute()).rejects.toMatchObject({
      code: '23503',
    });
  });
});

describe('an account is renamed', () => {
  test('by both doors, and past payments keep its name of then', async () => {
    const account = await openAccount(ada, { balance: 100 });
    const route = `PATCH ${GATEWAY}/virtual-accounts/${account.id}`;
    expect(await ada.rest(route, { body: { accountName: ' Payroll ', balance: 5 } })).toMatchObject({
      status: 200,
      body: { id: account.id, accountName: 'Payroll', accountNumber: account.accountNumber, balance: 100 },
    });
    const renamed = { id: account.id, accountName: 'Wages' };
    expect(await ada.rpc.paymentGateway.renameVirtualAccount.mutate(renamed)).toMatchObject(renamed);
    const [received] = await ada.rpc.paymentGateway.transactions.query({ limit: 1 });
    expect(received).toMatchObject({ virtualAccountId: account.id, receiverAccountName: 'Purse' });
  });

  test.each([{}, { accountName: ' ' }, { accountName: 'x'.repeat(101) }, { accountName: 5 }])(
    'not to %j',
    async (body) => {
      const { id } = await openAccount(bob);
      const answer = await bob.rest(`PATCH ${GATEWAY}/virtual-accounts/${id}`, { body });
      expect(answer).toMatchObject({ status: 400, body: { fields: [{ path: 'accountName' }] } });
      await bob.rpc.paymentGateway.closeVirtualAccount.mutate({ id });
    },
  );
});

describe('an account is closed', () => {
  const CLOSED = { status: 409, body: { code: 'ACCOUNT_CLOSED', message: 'This account is closed.' } };

  test('only when nothing is in it', async () => {
    const ella = await world.as('Ella');
    const account = await openAccount(ella, { balance: 300 });
    const close = () => ella.rest(`POST ${GATEWAY}/virtual-accounts/${account.id}/close`);
    expect(await close()).toMatchObject({
      status: 409,
      body: {
        code: 'ACCOUNT_NOT_EMPTY',
        message: "This account isn't empty. Send its balance to another account first.",
      },
    });
    const sent = await ella.rpc.paymentGateway.send.mutate(payment(account, elsewhere(), 300));
    await settled(ella, sent.id);
    expect(await close()).toMatchObject({ status: 200, body: { closedAt: expect.any(String), balance: 0 } });
  });

  test('for good, and stays to be read', async () => {
    const fay = await world.as('Fay');
    const other = await openAccount(fay, { balance: 100 });
    const account = await openAccount(fay, { balance: 50 });
    await fay.rpc.paymentGateway.send.mutate(payment(account, other, 50));
    const closed = await fay.rpc.paymentGateway.closeVirtualAccount.mutate({ id: account.id });
    expect(await fay.rpc.paymentGateway.closeVirtualAccount.mutate({ id: account.id })).toEqual(closed);
    expect((await fay.rest(`GET ${GATEWAY}/virtual-accounts`)).body).toMatchObject([{ id: other.id }]);
    expect((await fay.rest(`GET ${GATEWAY}/virtual-accounts?closed=true`)).body).toEqual([closed]);
    expect((await fay.rest(`GET ${GATEWAY}/virtual-accounts?closed=maybe`)).status).toBe(400);
    expect(await fay.rpc.paymentGateway.virtualAccount.query({ id: account.id })).toEqual(closed);
    const { lines } = await fay.rpc.paymentGateway.statement.query({ id: account.id });
    expect(lines.map(({ amount }) => amount)).toEqual([-50, 50]);
    expect(await fay.rpc.paymentGateway.transactions.query()).toHaveLength(4);

    const route = `${GATEWAY}/virtual-accounts/${account.id}`;
    expect(await fay.rest(`PATCH ${route}`, { body: { accountName: 'Again' } })).toMatchObject(CLOSED);
    const receiving = { body: receipt(account, 1) };
    expect(await fay.rest(`POST ${GATEWAY}/transactions/receive`, receiving)).toMatchObject(CLOSED);
    expect(await send(fay, payment(account, other, 1))).toMatchObject(CLOSED);
    const into = () =>
      send(fay, payment(other, { ...account, bankName: ' virtual  BANK ' }, 1), 'into-closed');
    const unknown = { code: 'NO_SUCH_ACCOUNT', message: 'There is no such account.' };
    expect(await into()).toMatchObject({ status: 422, body: unknown });
    expect(await into()).toMatchObject({ status: 422, body: unknown });
    expect((await fay.rpc.paymentGateway.virtualAccount.query({ id: other.id })).balance).toBe(150);
  });

  test('and other pages hear of that, as of a new name', async () => {
    const gus = await world.as('Gus');
    const { id } = await openAccount(gus);
    const told: string[] = [];
    const stream = gus.rpc.paymentGateway.changes.subscribe(undefined, {
      onData: ({ data }) => told.push(data.virtualAccountId),
    });
    await expect.poll(() => told).toEqual([id]);
    await gus.rpc.paymentGateway.renameVirtualAccount.mutate({ id, accountName: 'New' });
    await expect.poll(() => told).toEqual([id, id]);
    await gus.rpc.paymentGateway.closeVirtualAccount.mutate({ id });
    await expect.poll(() => told).toEqual([id, id, id]);
    stream.unsubscribe();
    // Whoever comes back may have missed it.
    const later: string[] = [];
    const again = gus.rpc.paymentGateway.changes.subscribe(undefined, {
      onData: ({ data }) => later.push(data.virtualAccountId),
    });
    await expect.poll(() => later).toEqual([id]);
    again.unsubscribe();
  });
});

describe('a stranger', () => {
  test('who is signed out gets 401 everywhere', async () => {
    const id = NOBODYS;
    const routes = [
      ['GET', 'virtual-accounts'],
      ['POST', 'virtual-accounts'],
      ['GET', `virtual-accounts/${id}`],
      ['PATCH', `virtual-accounts/${id}`],
      ['POST', `virtual-accounts/${id}/close`],
      ['GET', `virtual-accounts/${id}/statement`],
      ['GET', `virtual-accounts/${id}/statement.csv?month=2026-11`],
      ['GET', 'transactions'],
      ['POST', 'transactions/send'],
      ['POST', 'transactions/receive'],
      ['POST', `transactions/${id}/cancel`],
      ['GET', 'rail'],
      ['GET', 'beneficiaries'],
      ['POST', 'beneficiaries'],
      ['DELETE', `beneficiaries/${id}`],
    ];
    for (const [method, path] of routes) {
      const answer = await world.anyone.rest(`${method} ${GATEWAY}/${path}`);
      expect(answer, path).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
    }
    await expect(world.anyone.rpc.paymentGateway.transactions.query()).rejects.toThrow('Unauthorized');
  });

  test('finds nothing of others, and the answer of what is not there', async () => {
    const account = await openAccount(ada, { balance: 1000 });
    const sent = await ada.rpc.paymentGateway.send.mutate(payment(account, elsewhere(), 100));
    const beneficiary = await ada.rpc.paymentGateway.createBeneficiary.mutate(beneficiaryOf('AB-1'));
    const foreign = async (id: (of: { account: string; sent: string; kept: string }) => string[]) => {
      const own = id({ account: account.id, sent: sent.id, kept: beneficiary.id });
      const none = id({ account: NOBODYS, sent: NOBODYS, kept: NOBODYS });
      for (const [index, route] of own.entries()) {
        const [theirs, nobodys] = [await bob.rest(route), await bob.rest(none[index] ?? '')];
        expect({ status: theirs.status, ...(theirs.body as object), requestId: '' }, route).toEqual({
          status: 404,
          ...(nobodys.body as object),
          requestId: '',
        });
      }
    };
    await foreign((of) => [
      `GET ${GATEWAY}/virtual-accounts/${of.account}`,
      `GET ${GATEWAY}/virtual-accounts/${of.account}/statement`,
      `GET ${GATEWAY}/virtual-accounts/${of.account}/statement.csv?month=2026-11`,
      `POST ${GATEWAY}/virtual-accounts/${of.account}/close`,
      `POST ${GATEWAY}/transactions/${of.sent}/cancel`,
      `DELETE ${GATEWAY}/beneficiaries/${of.kept}`,
    ]);
    expect((await send(bob, payment(account, elsewhere(), 1))).status).toBe(404);
    const renaming = { body: { accountName: 'Mine' } };
    expect((await bob.rest(`PATCH ${GATEWAY}/virtual-accounts/${account.id}`, renaming)).status).toBe(404);
    const body = receipt(account, 1);
    expect((await bob.rest(`POST ${GATEWAY}/transactions/receive`, { body })).status).toBe(404);
    await settled(ada, sent.id);
    expect((await ada.rpc.paymentGateway.virtualAccount.query({ id: account.id })).balance).toBe(900);
  });
});

function beneficiaryOf(accountNumber: string) {
  return { accountName: 'Charles', accountNumber, bankName: 'Bank of London', bankCode: 'BOFL-22' };
}

describe('beneficiaries', () => {
  test('are kept, listed newest first and deleted', async () => {
    const dora = await world.as('Dora');
    const first = await dora.rpc.paymentGateway.createBeneficiary.mutate(beneficiaryOf('AB-0001'));
    const made = await dora.rest(`POST ${GATEWAY}/beneficiaries`, {
      body: { ...beneficiaryOf('AB-0002'), bankCode: '' },
    });
    expect(made).toMatchObject({ status: 201, body: { accountName: 'Charles', bankCode: '' } });
    expect(await dora.rpc.paymentGateway.beneficiaries.query()).toEqual([made.body, first]);
    expect(await bob.rpc.paymentGateway.beneficiaries.query()).toEqual([]);
    expect(
      await dora.rest(`POST ${GATEWAY}/beneficiaries`, { body: beneficiaryOf('AB-0001') }),
    ).toMatchObject({ status: 409, body: { code: 'EXISTS', message: "You've already saved this account." } });
    const removing = () => dora.rest(`DELETE ${GATEWAY}/beneficiaries/${first.id}`);
    expect(await removing()).toMatchObject({ status: 200, body: { success: true } });
    expect((await removing()).status).toBe(404);
  });

  test.each([
    { bankCode: 'ab1' },
    { bankCode: 'AB' },
    { bankCode: 'A'.repeat(12) },
    { accountName: '' },
    { bankName: undefined },
    { accountNumber: 'no' },
  ])('are refused with %j', async (changes) => {
    const body = { ...beneficiaryOf('AB-0003'), ...changes };
    expect((await ada.rest(`POST ${GATEWAY}/beneficiaries`, { body })).status).toBe(400);
  });
});

describe('the trial balance', () => {
  test('is for admins, sums to zero and finds no discrepancy', async () => {
    expect((await ada.rest('GET /api/admin/trial-balance')).status).toBe(403);
    const { currencies, discrepancies } = await admin.rpc.paymentGateway.trialBalance.query();
    expect(currencies).toMatchObject([{ currency: 'USD', sum: 0 }]);
    expect(currencies[0]?.entries).toBeGreaterThan(2);
    expect(currencies[0]?.owned).toBeGreaterThan(0);
    expect(discrepancies).toEqual([]);
  });
});

test('the rail says what it is, and which numbers it fails', async () => {
  expect(await ada.rpc.paymentGateway.rail.query()).toMatchObject({
    sandbox: true,
    failures: expect.arrayContaining([
      { accountNumber: 'ACCOUNT-CLOSED-0001', failure: 'The account is closed.' },
    ]),
  });
});
