import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld({
    running: true,
    overrides: { publicDns: { txt: async () => [], addresses: async () => [] } },
    settings: { publicUrl: new URL('http://console.nephos.test:3000'), appsDomain: 'apps.nephos-a.test' },
  });
  ada = await world.as('Ada');
});
afterAll(() => world.close());

/** The newest record. */
async function newest() {
  const record = await world.deps.db
    .selectFrom('auditLog')
    .select(['procedure', 'subjectName', 'before', 'after'])
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!record) throw new Error('there is no record');
  return record;
}

const SECRET = 'correct-horse-secret';

test('variables are told by name, and never what they hold', async () => {
  const { id } = await ada.rpc.projects.create.mutate({ name: 'Shop' });
  const set = (...names: string[]) =>
    ada.rpc.projects.setVariables.mutate({
      id,
      variables: names.map((name) => ({ name, value: SECRET, scope: 'all' as const })),
    });
  await set('A');
  expect(await newest()).toMatchObject({ after: { variables: { A: { value: 'set', scope: 'all' } } } });
  await set('A', 'B');
  expect(await newest()).toMatchObject({
    before: null,
    after: { variables: { A: { value: 'changed' }, B: { value: 'set' } } },
  });
  await ada.rpc.projects.scopeVariable.mutate({ id, name: 'B', scope: 'run' });
  expect(await newest()).toMatchObject({
    before: { variables: { B: { scope: 'all' } } },
    after: { variables: { B: { scope: 'run' } } },
  });
  await ada.rpc.projects.removeVariable.mutate({ id, name: 'B' });
  expect(await newest()).toMatchObject({ after: { variables: { B: { value: 'removed' } } } });
  const group = await ada.rpc.variableGroups.create.mutate({ name: 'Mail' });
  await ada.rpc.variableGroups.setVariable.mutate({ id: group.id, name: 'C', value: SECRET, scope: 'all' });
  expect(await newest()).toMatchObject({ after: { variables: { C: { value: 'set' } } } });
  // What goes along with it is not what was done.
  await ada.rpc.variableGroups.remove.mutate({ id: group.id });
  expect(await newest()).toMatchObject({ subjectName: 'Mail', before: { name: 'Mail' } });
  expect((await newest()).before).toEqual({ name: 'Mail' });

  await set(...Array.from({ length: 90 }, (_, n) => `V_${n}_${'X'.repeat(40)}`));
  const { after } = await newest();
  expect(after).toMatchObject({ tooLong: true });
  expect(Buffer.byteLength(JSON.stringify(after))).toBeLessThanOrEqual(2000);
  expect(JSON.stringify(await world.deps.db.selectFrom('auditLog').selectAll().execute())).not.toContain(
    SECRET,
  );
});

test('what a project and others had before is told of each change, as far as it changed', async () => {
  const { id } = await ada.rpc.projects.create.mutate({ name: 'Site' });
  await ada.rpc.disks.add.mutate({ id, name: 'data', path: '/data' });
  await ada.rpc.disks.remove.mutate({ id, name: 'data' });
  expect(await newest()).toMatchObject({ before: { disks: { data: { path: '/data' } } } });
  const job = await ada.rpc.appRuns.createJob.mutate({
    ...{ id, name: 'Nightly', schedule: '0 3 * * *', command: `run ${SECRET}` },
  });
  const change = { id: job.id, name: 'Daily', schedule: '0 3 * * *', command: `do ${SECRET}` };
  await ada.rpc.appRuns.updateJob.mutate(change);
  const { before, after } = await newest();
  expect(before).toEqual({ jobs: { Nightly: { name: 'Nightly' } } });
  expect(after).toMatchObject({ jobs: { Nightly: { name: 'Daily', command: 'changed' } } });
  for (const domain of ['a.example.test', 'b.example.test'])
    await ada.rpc.customDomains.add.mutate({ id, domain });
  await ada.rpc.customDomains.update.mutate({ id, domain: 'b.example.test', isPrimary: true });
  expect(await newest()).toMatchObject({ after: { domains: { 'b.example.test': { isPrimary: true } } } });
  const one = await ada.rpc.paymentGateway.createVirtualAccount.mutate({ accountName: 'One' });
  await ada.rpc.paymentGateway.renameVirtualAccount.mutate({ id: one.id, accountName: 'Uno' });
  expect(await newest()).toMatchObject({ before: { accountName: 'One' }, after: { accountName: 'Uno' } });
  const channel = await ada.rpc.alertChannels.create.mutate({
    ...{ type: 'webhook', name: 'Hook', kinds: [], address: `https://hooks.example.test/${SECRET}` },
    projectId: id,
  });
  await ada.rpc.alertChannels.remove.mutate({ id: channel.id });
  expect(await newest()).toMatchObject({
    subjectName: 'Hook',
    before: {
      name: 'Hook',
      enabled: true,
      projectId: id,
      shownAddress: expect.stringContaining('hooks.example.test'),
    },
  });
  const bob = await world.as('Bob');
  await ada.rpc.admin.setLimits.mutate({ ownerId: bob.user.id, projects: 3, previews: 1 });
  await ada.rpc.admin.setLimits.mutate({ ownerId: bob.user.id, projects: 5, previews: 2, workspaces: 4 });
  expect(await newest()).toMatchObject({
    before: { projects: 3, previews: 1, workspaces: null },
    after: { projects: 5, previews: 2, workspaces: 4 },
  });
  const shared = await ada.rpc.workspaces.create.mutate({ name: 'Shared' });
  await ada.rpc.workspaces.update.mutate({ id: shared.id, name: 'Ours' });
  expect(await newest()).toMatchObject({ before: { name: 'Shared' }, after: { name: 'Ours' } });
  expect(JSON.stringify(await world.deps.db.selectFrom('auditLog').selectAll().execute())).not.toContain(
    SECRET,
  );
});

test('a value that somebody else wrote meanwhile is the one from before', async () => {
  const { db } = world.deps;
  const group = await ada.rpc.variableGroups.create.mutate({ name: 'First' });
  let renamed: Promise<unknown> | undefined;
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('variableGroups').set({ name: 'Second' }).where('id', '=', group.id).execute();
    renamed = ada.rpc.variableGroups.rename.mutate({ id: group.id, name: 'Third' });
    const waits = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      );
      return rows.length;
    };
    await expect.poll(waits).toBe(1);
  });
  await renamed;
  expect(await newest()).toMatchObject({ before: { name: 'Second' }, after: { name: 'Third' } });
});
