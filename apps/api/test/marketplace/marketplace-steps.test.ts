import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actAs } from '../../src/domains/marketplace/act-as.ts';
import { CATALOGUE } from '../../src/domains/marketplace/catalogue/catalogue.ts';
import { installationsOf } from '../../src/domains/marketplace/read.ts';
import { runInstallation } from '../../src/domains/marketplace/run.ts';
import { waitFor } from '../../src/domains/marketplace/waiting.ts';
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
let count = 0;

beforeAll(async () => {
  world = await createMarketplaceWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  count += 1;
  ada = await world.as(`Ada${count}`);
  world.engine.outcome = undefined;
});

const never = new AbortController().signal;

async function countOf(itemId: string): Promise<number | undefined> {
  const items = await ada.rpc.marketplace.list.query();
  return items.find(({ id }) => id === itemId)?.installCount;
}

async function newInstallation(itemId: string, steps: number) {
  const { db } = world.deps;
  const { marketplace: parts } = world.deps.domains;
  const row = await db
    .insertInto('installations')
    .values({
      ownerId: ada.user.id,
      itemId,
      version: '1.0.0',
      steps,
      inputs: JSON.stringify(answersFor(`ada${count}`)),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, parts, ctx: await actAs(db, ada.user.id, row.id), signal: never };
}

describe('every item', () => {
  it.each(CATALOGUE.map(({ id }) => id))('%s makes what it says, and takes all of it back', async (id) => {
    const item = (await ada.rpc.marketplace.list.query()).find((one) => one.id === id);
    const installation = await install(ada, id, answersFor(`ada${count}`));
    expect(installation).toMatchObject({ status: 'installed', error: '', doing: '' });
    expect(installation.step).toBe(installation.steps);
    expect(installation.receipt.map(({ kind }) => kind)).toEqual(item?.creates.map(({ kind }) => kind));

    const have = await belongings(ada);
    for (const { kind, id: made } of installation.receipt) {
      expect(have[kind].map((one) => one.id)).toContain(made);
    }
    expect(Object.values(have).flat()).toHaveLength(installation.receipt.length);
    expect(installation.url).toBe(have.project[0]?.url ?? '');

    await ada.rpc.marketplace.uninstall.mutate({ id });
    expect(await belongings(ada)).toEqual(NOTHING);
    expect(await ada.rpc.marketplace.installations.query({ attempts: true })).toEqual([]);
  });
});

describe('an item of several steps', () => {
  it('joins them: the first deployment has the address of the database', async () => {
    await install(ada, 'full-stack-starter', { name: 'Notes' });
    const [project] = await ada.rpc.projects.list.query();
    const [database] = await ada.rpc.databases.list.query();
    const { connectionString } = await ada.rpc.databases.connection.query({ id: database?.id ?? '' });
    expect(world.engine.runs.at(-1)?.job).toMatchObject({
      deploymentId: project?.latestDeployment?.id,
      template: 'full-stack',
      variables: { DATABASE_URL: connectionString },
    });
    expect(await ada.rpc.deployments.list.query({ id: project?.id ?? '' })).toHaveLength(1);
  });

  it('keeps what holds data when asked to, and skips what was deleted already', async () => {
    await install(ada, 'full-stack-starter', { name: 'Notes' });
    const [project] = await ada.rpc.projects.list.query();
    await ada.rpc.projects.remove.mutate({ id: project?.id ?? '' });
    const answer = await ada.rest('DELETE /api/marketplace/full-stack-starter/uninstall?keepData=true');
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(await belongings(ada)).toEqual({
      ...NOTHING,
      database: [expect.objectContaining({ name: 'Notes' })],
    });

    // What was kept is in the way of the next attempt, which says so and leaves it alone.
    expect(await install(ada, 'full-stack-starter', { name: 'Notes' })).toMatchObject({
      status: 'failed',
      error: 'PostgreSQL database could not be created: You already have a database named Notes.',
      receipt: [],
    });
    expect((await belongings(ada)).database).toHaveLength(1);
    await ada.rpc.marketplace.uninstall.mutate({ id: 'full-stack-starter' });
    expect(await ada.rpc.marketplace.installations.query({ attempts: true })).toEqual([]);
    expect((await belongings(ada)).database).toHaveLength(1);
  });

  it('takes along the DNS records that lead to its project when asked to', async () => {
    const { db } = world.deps;
    for (const deleteRecords of [false, true]) {
      await install(ada, 'full-stack-starter', { name: 'Notes' });
      const [project] = await ada.rpc.projects.list.query();
      for (const name of ['@', 'notes']) {
        const record = { domain: `records${count}.test`, name, value: '192.0.2.1' };
        const { id } = await ada.rpc.dns.create.mutate({ ...record, recordType: 'A' });
        if (name === 'notes') {
          await db
            .updateTable('dnsRecords')
            .set({ projectId: project?.id ?? '' })
            .where('id', '=', id)
            .execute();
        }
      }
      await ada.rpc.marketplace.uninstall.mutate({ id: 'full-stack-starter', deleteRecords });
      const left = await ada.rpc.dns.list.query();
      expect(left.map(({ name }) => name).sort()).toEqual(deleteRecords ? ['@'] : ['@', 'notes']);
      await db.deleteFrom('dnsZones').execute();
    }
  });

  it('takes back what it made when a later step is refused, and says which and why', async () => {
    for (let i = 0; i < 5; i++) await ada.rpc.projects.create.mutate({ name: `Mine ${i}` });
    const mine = await belongings(ada);
    const { held } = world.databaseEngines.postgresql;
    const before = [...held.keys()];
    const failed = await install(ada, 'full-stack-starter', { name: 'Notes' });
    expect(failed).toMatchObject({
      status: 'failed',
      receipt: [],
      url: '',
      error:
        'Project from the full-stack template could not be created: ' +
        'Your plan includes 5 projects. Delete one or upgrade your plan.',
    });
    expect(await belongings(ada)).toEqual(mine);
    await expect.poll(() => [...held.keys()], PATIENCE).toEqual(before);
  });

  it('takes back what it made when the deployment fails, and another attempt takes its place', async () => {
    world.engine.outcome = { status: 'failed', step: 'install', error: 'npm could not be reached.' };
    const before = await countOf('full-stack-starter');
    const failed = await install(ada, 'full-stack-starter', { name: 'Notes' });
    expect(failed).toMatchObject({
      status: 'failed',
      error: 'Project from the full-stack template did not get ready: npm could not be reached.',
    });
    expect(await belongings(ada)).toEqual(NOTHING);
    expect(await countOf('full-stack-starter')).toBe(before);

    world.engine.outcome = undefined;
    const second = await ada.rest('POST /api/marketplace/full-stack-starter/install', { body: {} });
    expect(second).toMatchObject({ status: 201, body: { status: 'installing', error: '' } });
    expect(await concluded(ada, 'full-stack-starter')).toMatchObject({ status: 'installed' });
    expect(await ada.rpc.marketplace.installations.query({ attempts: true })).toHaveLength(1);
  });

  it('can be uninstalled in mid-way', async () => {
    world.engine.outcome = 'wait';
    await ada.rpc.marketplace.install.mutate({ id: 'full-stack-starter', inputs: { name: 'Notes' } });
    const waiting = { step: 1, steps: 2, doing: 'Waiting for Project from the full-stack template', url: '' };
    const now = async () => (await ada.rpc.marketplace.installations.query({ attempts: true }))[0];
    await expect.poll(now, PATIENCE).toMatchObject(waiting);
    await ada.rpc.marketplace.uninstall.mutate({ id: 'full-stack-starter' });
    expect(await belongings(ada)).toEqual(NOTHING);
    const left = () => world.deps.db.selectFrom('deployments').where('ownerId', '=', ada.user.id).execute();
    expect(await left()).toEqual([]);
    expect(await now()).toBeUndefined();
  });

  it('fails when its database is deleted while it waits for it', async () => {
    const { postgresql } = world.databaseEngines;
    const { before } = postgresql;
    const deleted = Promise.withResolvers<void>();
    postgresql.before = () => deleted.promise;
    try {
      await ada.rpc.marketplace.install.mutate({ id: 'full-stack-starter', inputs: { name: 'Notes' } });
      await expect.poll(async () => (await belongings(ada)).database.length, PATIENCE).toBe(1);
      const [database] = await ada.rpc.databases.list.query();
      await ada.rpc.databases.remove.mutate({ id: database?.id ?? '' });
      expect(await concluded(ada, 'full-stack-starter')).toMatchObject({
        status: 'failed',
        error: 'PostgreSQL database did not get ready: it was deleted during installation.',
      });
    } finally {
      deleted.resolve();
      postgresql.before = before;
    }
  });

  it('says why its database could not be made', async () => {
    const { mongodb } = world.databaseEngines;
    const { before } = mongodb;
    mongodb.before = async () => {
      mongodb.reason = 'The MongoDB server of MANAGED_MONGODB_URL does not answer.';
      throw new Error('ECONNREFUSED');
    };
    try {
      expect(await install(ada, 'mongodb-database', {})).toMatchObject({
        status: 'failed',
        receipt: [],
        error:
          'MongoDB database did not get ready: The MongoDB server of MANAGED_MONGODB_URL does not answer.',
      });
      expect(await ada.rpc.marketplace.installations.query()).toEqual([]);
    } finally {
      mongodb.reason = null;
      mongodb.before = before;
    }
    expect(await belongings(ada)).toEqual(NOTHING);
  });

  it('fails when its project is deleted while it waits for it', async () => {
    world.engine.outcome = 'wait';
    await ada.rpc.marketplace.install.mutate({ id: 'static-site-starter' });
    await expect.poll(async () => (await belongings(ada)).project.length, PATIENCE).toBe(1);
    const [project] = await ada.rpc.projects.list.query();
    await ada.rpc.projects.remove.mutate({ id: project?.id ?? '' });
    expect(await concluded(ada, 'static-site-starter')).toMatchObject({
      status: 'failed',
      error: 'Project from the static-site template did not get ready: it was deleted during installation.',
    });
  });
});

describe('an installation that is cut short', () => {
  it('makes everything once, however many work on it and however often', async () => {
    const run = await newInstallation('fastmail-mail', 6);
    await Promise.all([runInstallation(run), runInstallation(run), runInstallation(run)]);
    await runInstallation(run);
    const [installation] = await ada.rpc.marketplace.installations.query({ attempts: true });
    expect(installation).toMatchObject({ status: 'installed', step: 6 });
    expect(installation?.receipt).toHaveLength(6);
    expect((await belongings(ada)).dns).toHaveLength(6);
  });

  it('never has a resource without its line on the receipt', async () => {
    const run = await newInstallation('static-site-starter', 1);
    const { db } = world.deps;
    await sql`create function die() returns trigger language plpgsql as $$ begin raise 'dead'; end $$`.execute(
      db,
    );
    await sql`create trigger die before update on installations for each row execute function die()`.execute(
      db,
    );
    try {
      // Aborted: it does not try again.
      await expect(runInstallation({ ...run, signal: AbortSignal.abort() })).rejects.toThrow('dead');
    } finally {
      await sql`drop function die cascade`.execute(db);
    }
    expect(await belongings(ada)).toEqual(NOTHING);
    const row = await installationsOf(db, ada.user.id).executeTakeFirst();
    expect(row).toMatchObject({ status: 'installing', receipt: [], step: 0 });

    await runInstallation(run);
    expect((await belongings(ada)).project).toHaveLength(1);
  });

  it('is taken up by the sweep when its job is gone', async () => {
    await newInstallation('domain-without-mail', 3);
    await world.deps.domains.marketplace.queue.sweep();
    expect(await concluded(ada, 'domain-without-mail')).toMatchObject({ status: 'installed' });
  });

  it('fails when the item has another version by now', async () => {
    const run = await newInstallation('domain-without-mail', 3);
    await runInstallation({ ...run, row: { ...run.row, version: '0.9.0' } });
    expect(await concluded(ada, 'domain-without-mail')).toMatchObject({
      status: 'failed',
      error: 'This item was updated while it was being installed. Install it again.',
    });
  });

  it('is not waited for without end', async () => {
    world.engine.outcome = 'wait';
    const { id, name } = await ada.rpc.projects.create.mutate({ name: 'Slow', template: 'static-site' });
    const ctx = await actAs(world.deps.db, ada.user.id, '');
    const entry = { kind: 'project' as const, id, name, holdsData: false };
    const assertWanted = async () => {};
    const wait = { entry, assertWanted, patience: 30, signal: never };
    expect(await waitFor(ctx, world.deps.notifications, wait)).toMatch(
      /^it was not ready within \d+ minutes\.$/,
    );
    await ada.rpc.projects.remove.mutate({ id });
  });
});
