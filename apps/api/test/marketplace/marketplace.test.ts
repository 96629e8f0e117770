import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/domains/marketplace/catalogue/catalogue.ts';
import { mayInstall } from '../../src/domains/plans/plan.ts';
import type { Person } from '../world.ts';
import {
  answersFor,
  belongings,
  concluded,
  createMarketplaceWorld,
  install,
  type MarketplaceWorld,
  NOTHING,
  PATIENCE,
} from './marketplace-world.ts';

let world: MarketplaceWorld;
let ada: Person;
let bob: Person;

const ENDED = 'Your trial has ended. Subscribe to a plan to continue installing marketplace items.';

beforeAll(async () => {
  world = await createMarketplaceWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterAll(() => world.close());

/** By the database's clock. */
async function endTrial({ user }: Person, interval: string): Promise<void> {
  await world.deps.db
    .updateTable('users')
    .set({ trialEndDate: sql<string>`now() + ${interval}::interval` })
    .where('id', '=', user.id)
    .execute();
}

async function countOf(id: string): Promise<number | undefined> {
  const items = await ada.rpc.marketplace.list.query();
  return items.find((item) => item.id === id)?.installCount;
}

describe('the catalogue', () => {
  it('is the same at both doors, with what each item makes, needs and asks', async () => {
    const { status, body } = await ada.rest('GET /api/marketplace');
    expect(status).toBe(200);
    expect(body).toEqual(await ada.rpc.marketplace.list.query());
    expect(body).toHaveLength(CATALOGUE.length);
    expect(body).toContainEqual({
      id: 'full-stack-starter',
      name: 'Full-stack starter',
      description: expect.any(String),
      category: 'Full stack',
      isTemplate: true,
      installCount: 0,
      version: '1.0.0',
      creates: [
        { kind: 'database', label: 'PostgreSQL database' },
        { kind: 'project', label: 'Project from the full-stack template' },
      ],
      needs: [
        { label: 'PostgreSQL databases', available: true, reason: '' },
        { label: 'Node.js and npm', available: true, reason: '' },
      ],
      inputs: [
        {
          name: 'name',
          label: 'Name',
          hint: 'Used for the project and its database.',
          placeholder: '',
          default: 'Full-stack app',
          required: true,
          secret: false,
        },
      ],
      app: null,
    });
  });

  it('is for people who are signed in', async () => {
    for (const route of [
      'GET /api/marketplace',
      'GET /api/marketplace/installations',
      'POST /api/marketplace/postgresql-database/install',
      'POST /api/marketplace/postgresql-database/upgrade',
      'DELETE /api/marketplace/postgresql-database/uninstall',
    ]) {
      expect(await world.anyone.rest(route)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    }
  });
});

describe('install', () => {
  it('answers 201 at once, then 200 with the same row, and is told step by step', async () => {
    const told: unknown[] = [];
    const stream = ada.rpc.marketplace.changes.subscribe(undefined, {
      onData: ({ data: { itemId, installation } }) =>
        told.push([itemId, installation && `${installation.status} ${installation.doing}`]),
    });
    const { mysql } = world.databaseEngines;
    const { before } = mysql;
    const made = Promise.withResolvers<void>();
    mysql.before = () => made.promise;
    const first = await ada.rest('POST /api/marketplace/mysql-database/install', { body: {} });
    expect(first).toMatchObject({
      status: 201,
      body: {
        itemId: 'mysql-database',
        version: '1.0.0',
        status: 'installing',
        step: 0,
        steps: 1,
        receipt: [],
      },
    });
    // What is only being installed is listed for who asks for attempts.
    expect((await ada.rest('GET /api/marketplace/installations')).body).toEqual([]);
    expect((await ada.rest('GET /api/marketplace/installations?attempts=true')).body).toMatchObject([
      { itemId: 'mysql-database', status: 'installing' },
    ]);
    made.resolve();
    mysql.before = before;
    const installed = await concluded(ada, 'mysql-database');
    expect((await ada.rest('GET /api/marketplace/installations')).body).toEqual([installed]);
    expect(await ada.rpc.marketplace.installations.query()).toEqual([installed]);
    const again = await ada.rest('POST /api/marketplace/mysql-database/install', { body: {} });
    expect(again).toMatchObject({ status: 200, body: installed });
    expect(installed).toMatchObject({ id: (first.body as { id: string }).id, status: 'installed', step: 1 });
    expect(await bob.rpc.marketplace.installations.query()).toEqual([]);
    expect(await bob.rest('DELETE /api/marketplace/mysql-database/uninstall')).toMatchObject({ status: 404 });

    await ada.rpc.marketplace.uninstall.mutate({ id: 'mysql-database' });
    await expect.poll(() => told.at(-1), PATIENCE).toEqual(['mysql-database', null]);
    stream.unsubscribe();
    expect(told).toContainEqual(['mysql-database', 'installed ']);
  });

  it('repeats its status with its Idempotency-Key', async () => {
    const route = 'POST /api/marketplace/mongodb-database/install';
    const call = (key: string) => ada.rest(route, { body: {}, headers: { 'idempotency-key': key } });
    const answers = [await call('one'), await call('two'), await call('one'), await call('two')];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 200]);
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([
      null,
      null,
      'true',
      'true',
    ]);
    await concluded(ada, 'mongodb-database');
    await ada.rpc.marketplace.uninstall.mutate({ id: 'mongodb-database' });
  });

  it.each(['no-such-item', 'No%20such', 'x'.repeat(300)])('answers 404 for %s', async (id) => {
    const known = { status: 404, body: { code: 'NOT_FOUND', message: 'Not found.' } };
    expect(await ada.rest(`POST /api/marketplace/${id}/install`, { body: {} })).toMatchObject(known);
    expect(await ada.rest(`DELETE /api/marketplace/${id}/uninstall`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_INSTALLED', message: 'This item is not installed.' },
    });
  });

  it.each([
    ['postgresql-database', { name: ' ' }, 'inputs.name', 'Name is required.'],
    ['google-workspace-mail', {}, 'inputs.domain', 'Domain is required.'],
    ['private-container-repository', { name: 'Not Good' }, 'inputs.name', /lowercase/],
    ['android-app', { name: 'App', bundleId: 'com.9lives' }, 'inputs.bundleId', /On Android/],
    ['ios-app', { name: 'App', bundleId: 'nodots' }, 'inputs.bundleId', /two parts/],
    ['status-page', { name: 'Status', addresses: 'ftp://example.com' }, 'inputs.addresses', /http/],
    [
      'microsoft-365-mail',
      { domain: 'ada.example.com', mailServer: '192.0.2.1' },
      'inputs.mailServer',
      /host/,
    ],
  ])('of %s refuses %o', async (id, inputs, path, message) => {
    const answer = await ada.rest(`POST /api/marketplace/${id}/install`, { body: { inputs } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION', fields: [{ path }] } });
    expect((answer.body as { message: string }).message).toMatch(message);
  });

  it('says which setting is needed before anything is made', async () => {
    const { postgresql } = world.databaseEngines;
    postgresql.reason = 'Set MANAGED_POSTGRES_URL to have PostgreSQL databases.';
    world.engine.missing.set('nodejs', 'npm is not installed on this server.');
    try {
      const refused = (reason: string) => ({ status: 503, body: { code: 'UNAVAILABLE', message: reason } });
      const post = (id: string) => ada.rest(`POST /api/marketplace/${id}/install`, { body: {} });
      expect(await post('postgresql-database')).toMatchObject(refused(postgresql.reason));
      expect(await post('react-site-starter')).toMatchObject(refused('npm is not installed on this server.'));
      const items = await ada.rpc.marketplace.list.query();
      expect(items.find(({ id }) => id === 'react-site-starter')?.needs).toEqual([
        { label: 'Git', available: true, reason: '' },
        { label: 'Node.js and npm', available: false, reason: 'npm is not installed on this server.' },
      ]);
    } finally {
      postgresql.reason = null;
      world.engine.missing.clear();
    }
    expect(await ada.rpc.marketplace.installations.query()).toEqual([]);
  });
});

it('says who may run code before anyone tries', async () => {
  const { settings } = world.deps;
  const { host } = settings;
  settings.host = '0.0.0.0';
  try {
    const needs = async ({ rpc }: Person) =>
      (await rpc.marketplace.list.query()).find(({ id }) => id === 'static-site-starter')?.needs[0]?.label;
    const [first, second] = await Promise.all([needs(ada), needs(bob)]);
    expect([first, second]).toEqual(['Git', 'Permission to run code']);
    const refused = await bob.rest('POST /api/marketplace/static-site-starter/install', { body: {} });
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  } finally {
    settings.host = host;
  }
});

describe('the trial', () => {
  it('ends at its instant by the clock of the database', async () => {
    await world.deps.db.transaction().execute(async (trx) => {
      const endsIn = (interval: string) =>
        trx
          .updateTable('users')
          .set({ trialEndDate: sql<string>`now() + ${interval}::interval` })
          .where('id', '=', bob.user.id)
          .execute();
      await endsIn('1 second');
      expect(await mayInstall({ ...world.deps, db: trx }, bob.user.id)).toBe(true);
      await endsIn('-1 second');
      expect(await mayInstall({ ...world.deps, db: trx }, bob.user.id)).toBe(false);
      await trx.updateTable('users').set({ trialEndDate: null }).where('id', '=', bob.user.id).execute();
      expect(await mayInstall({ ...world.deps, db: trx }, bob.user.id)).toBe(false);
    });
  });

  it('bars installing once it has ended, and never uninstalling', async () => {
    const cleo = await world.as('Cleo');
    await endTrial(cleo, '1 minute');
    await install(cleo, 'postgresql-database', answersFor('cleo'));
    await endTrial(cleo, '-1 second');
    const answer = await cleo.rest('POST /api/marketplace/node-api-starter/install', { body: {} });
    expect(answer).toMatchObject({ status: 403, body: { code: 'TRIAL_ENDED', message: ENDED } });
    await expect(cleo.rpc.marketplace.install.mutate({ id: 'node-api-starter' })).rejects.toMatchObject({
      message: ENDED,
      data: { httpStatus: 403, reason: 'TRIAL_ENDED' },
    });
    expect(await cleo.rpc.projects.list.query()).toEqual([]);
    const uninstalled = await cleo.rest('DELETE /api/marketplace/postgresql-database/uninstall');
    expect(uninstalled).toMatchObject({ status: 200, body: { success: true } });
    expect(await belongings(cleo)).toEqual(NOTHING);
  });
});

describe('at the same time', () => {
  it('50 installs by one person are one, and 50 by 50 people are 50', async () => {
    const id = 'private-container-repository';
    const before = (await countOf(id)) ?? 0;
    const mine = await Promise.all(
      Array.from({ length: 50 }, () => ada.rest(`POST /api/marketplace/${id}/install`, { body: {} })),
    );
    expect(mine.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 201]);
    expect(new Set(mine.map(({ body }) => (body as { id: string }).id)).size).toBe(1);
    await concluded(ada, id);
    expect((await belongings(ada)).container).toHaveLength(1);
    expect(await countOf(id)).toBe(before + 1);

    const people: Person[] = [];
    for (let i = 0; i < 50; i += 10) {
      people.push(...(await Promise.all(Array.from({ length: 10 }, (_, k) => world.as(`Person${i + k}`)))));
    }
    const all = await Promise.all(people.map((person) => person.rpc.marketplace.install.mutate({ id })));
    expect(new Set(all.map((one) => one.id)).size).toBe(50);
    expect(await countOf(id)).toBe(before + 51);
    const ends = await Promise.all(people.map((person) => concluded(person, id)));
    expect(ends.map((end) => end?.status)).toEqual(Array(50).fill('installed'));
    await Promise.all(people.map((person) => person.rpc.marketplace.uninstall.mutate({ id })));
    await ada.rpc.marketplace.uninstall.mutate({ id });
    expect(await countOf(id)).toBe(before);
  });
});
