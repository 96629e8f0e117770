import { randomBytes, randomUUID } from 'node:crypto';
import { PLANS } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renew } from '../../src/domains/billing/renewal.ts';
import { chat, converse, wordsOf } from '../assistant/assistant-world.ts';
import { digestOf, makeToken, registryClient } from '../containers/registry-client.ts';
import { createScriptedEngine } from '../databases/scripted-database-engine.ts';
import { answersFor, PATIENCE } from '../marketplace/marketplace-world.ts';
import { documented, upload } from '../storage/storage-world.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { chargedTo, makeDue, record, start, subscribe } from './billing-fixtures.ts';

/** Switched off, beside a replica on the same data that sells as ever. */
let world: World;
let shop: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld({
    running: true,
    settings: { billing: false },
    overrides: { databaseEngines: scriptedEngines(), answerPace: 0 },
  });
  shop = await createWorld({ databaseUrl: world.databaseUrl });
  ada = await world.as('Ada');
});

afterAll(async () => {
  await shop.close();
  await world.close();
});

function scriptedEngines() {
  return {
    postgresql: createScriptedEngine('postgresql'),
    mysql: createScriptedEngine('mysql'),
    mongodb: createScriptedEngine('mongodb'),
    redis: createScriptedEngine('redis'),
  };
}

const OFF = {
  status: 403,
  body: { code: 'BILLING_OFF', message: expect.stringMatching(/^Billing is off on this server\./) },
};

test('everyone is told, signed in or not, by both doors', async () => {
  for (const caller of [world.anyone, ada]) {
    expect(await caller.rest('GET /api/billing/status')).toMatchObject({
      status: 200,
      body: { enabled: false },
    });
    expect(await caller.rpc.billing.status.query()).toEqual({ enabled: false });
  }
  expect(await shop.anyone.rpc.billing.status.query()).toEqual({ enabled: true });
});

test('an account begins without a trial, and looks as ever', async () => {
  expect(ada.user).toMatchObject({ trialActive: false, trialEndDate: null });
  const eve = await shop.as('Eve');
  expect(eve.user.trialActive).toBe(true);
  expect(Object.keys(ada.user)).toEqual(Object.keys(eve.user));
});

test('no plan limits projects, files and images', async () => {
  for (let made = 0; made <= (PLANS.starter.deployments ?? 0); made++) {
    expect((await ada.rest('POST /api/projects', { body: { name: `Site ${made}` } })).status).toBe(201);
  }
  await world.deps.db
    .insertInto('storedFiles')
    .values({
      ...{ fileName: 'big', filePath: '/', mimeType: 'text/plain', isPublic: false, sha256: '' },
      ...{ ownerId: ada.user.id, objectKey: randomUUID(), fileSize: PLANS.starter.storage },
    })
    .execute();
  expect((await ada.rest('POST /api/storage', { body: documented('more') })).status).toBe(201);
  expect((await upload(world, ada, 'and more')).status).toBe(201);
  const { token } = await makeToken(ada);
  const asAda = registryClient({ url: world.url, username: ada.user.email, password: token });
  const blob = randomBytes(100);
  const pushed = await asAda('POST', `/v2/ada/app/blobs/uploads/?digest=${digestOf(blob)}`, { body: blob });
  expect(pushed.status).toBe(201);

  const used = { projects: { used: 6, limit: null }, storage: { limit: null } };
  expect(await ada.rpc.billing.limits.query()).toMatchObject({
    plan: 'Unlimited',
    trial: false,
    ...used,
  });
  expect((await ada.rest('GET /api/billing/limits')).body).toMatchObject(used);
  const atShop = await shop.anyone.rest('GET /api/billing/limits', { headers: { cookie: ada.cookie } });
  expect(atShop.body).toMatchObject({ plan: 'Starter', projects: { used: 6, limit: 5 } });
});

test('the bounds that no plan sets stay', async () => {
  const tooLarge = documented(Buffer.alloc(10 * 1024 * 1024 + 1));
  expect((await ada.rest('POST /api/storage', { body: tooLarge })).status).toBe(413);
});

test('whoever has neither trial nor plan installs from the marketplace', async () => {
  const inputs = answersFor('ada');
  const route = 'POST /api/marketplace/postgresql-database/install';
  expect(await ada.rest(route, { body: { inputs } })).toMatchObject({ status: 201 });
});

test('nothing is sold, by both doors', async () => {
  const planTier = 'starter';
  const paymentIntentId = 'pi_00000000';
  expect(await start(ada, planTier)).toMatchObject(OFF);
  expect(await record(ada, { planTier, paymentIntentId })).toMatchObject(OFF);
  expect(await ada.rest('POST /api/billing/card/pay', { body: { paymentIntentId } })).toMatchObject(OFF);
  const refused = { data: { httpStatus: 403, reason: 'BILLING_OFF' } };
  await expect(ada.rpc.billing.startPayment.mutate({ planTier })).rejects.toMatchObject(refused);
  await expect(ada.rpc.billing.subscribe.mutate({ planTier, paymentIntentId })).rejects.toMatchObject(
    refused,
  );
});

/** Somebody whose subscription, made while billing was on, is due. */
async function due(name: string) {
  const person = await shop.as(name);
  const { id } = await subscribe(person);
  await makeDue(world.deps.db, id);
  const row = () =>
    world.deps.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return { id, row, before: await row(), charged: () => chargedTo(world.deps.db, person.user.id) };
}

test('a subscription that is due goes on without being charged, so that nothing is owed for it later', async () => {
  const { row, before, charged } = await due('Grace');
  await world.deps.domains.billing.renewals.enqueueDue();
  await expect.poll(async () => (await row()).renewalDate, PATIENCE).not.toBe(before.renewalDate);
  expect(Date.parse((await row()).renewalDate)).toBeGreaterThan(Date.now());
  expect(await row()).toMatchObject({ status: 'active', charging: null });
  expect((await charged()).payments).toBe(1);
});

test('a charge that was under way is written down where it was made, and not made where it was not', async () => {
  const { provider } = world.deps.domains.billing;
  const { db } = world.deps;
  const free = { db, provider, free: true };
  const cut = (charge: typeof provider.charge) => ({ db, provider: { ...provider, charge } });
  const made = await due('Alan');
  const madeThenCut = cut(async (one) => {
    await provider.charge(one);
    throw new Error('killed');
  });
  await expect(renew(madeThenCut, made.id)).rejects.toThrow('killed');
  await renew(free, made.id);
  expect(await made.charged()).toEqual({ payments: 2, booked: 5800 });
  expect(await made.row()).toMatchObject({ status: 'active', charging: null });

  const unmade = await due('Edsger');
  const cutBefore = cut(async () => {
    throw new Error('killed');
  });
  await expect(renew(cutBefore, unmade.id)).rejects.toThrow('killed');
  await renew(free, unmade.id);
  expect((await unmade.row()).charging, 'it may arrive yet').not.toBeNull();
  await sql`update subscriptions set charge_asked_at = now() - interval '11 minutes' where id = ${unmade.id}`.execute(
    db,
  );
  await renew(free, unmade.id);
  await renew(free, unmade.id);
  expect((await unmade.charged()).payments).toBe(1);
  expect((await unmade.row()).charging).toBeNull();
  expect(Date.parse((await unmade.row()).renewalDate)).toBeGreaterThan(Date.now());
});

test('the assistant speaks of no trial and no plans', async () => {
  const session = await converse(ada);
  const ask = async (message: string) => wordsOf(await (await chat(world, ada, session, { message })).rest());
  for (const question of [
    'What does this cost me?',
    'What does my plan allow, and how much of it do I use?',
  ]) {
    const answer = await ask(question);
    expect(answer).toContain('Billing is off on this server');
    expect(answer).not.toMatch(/free trial|Starter|\$|your trial has ended/i);
  }
  expect(await ask('How much storage do I use?')).toContain('(no limit)');
  expect(await ask('What is in the marketplace?')).not.toContain('trial');
});

test('the page to sign up promises no trial', async () => {
  const { text } = await world.anyone.rest('GET /api/login?mode=signup');
  expect(text).toContain('Create account');
  expect(text).not.toMatch(/trial,|free trial/i);
});

test('an admin sees it among what the server runs on', async () => {
  const engines = await ada.rpc.admin.engines.query();
  expect(engines.find(({ id }) => id === 'billing')).toMatchObject({ running: 'None', state: 'off' });
});
