import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AuditChain } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportChain } from '../../src/domains/audit/export.ts';
import { createUnsealable, sealRecords } from '../../src/domains/audit/seal.ts';
import { sweepRecords } from '../../src/domains/audit/sweep.ts';
import { linkTransactions } from '../../src/domains/ledger/chain.ts';
import { record } from '../../src/platform/audit.ts';
import { createWorld, type Person, type World } from '../world.ts';

const SCRIPT = new URL('../../../web/public/verify-activity.mjs', import.meta.url).pathname;

let world: World;
let ada: Person;
let bob: Person;
let folder: string;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  folder = await mkdtemp(join(tmpdir(), 'nephos-test-'));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

function note(person: Person, name: string, db = world.deps.db): Promise<void> {
  const { id, email } = person.user;
  const subject = { kind: 'project', id: null, name };
  return record(db, {
    ...{ ownerId: id, actor: { id, email }, via: 'session', procedure: 'projects.update', subject },
    after: {
      name,
      records: ['"quoted" ünïcode', '1e21'],
      count: 1e21,
      share: 0.1,
      nested: { b: 1, a: [null] },
    },
  });
}

async function exported(person: Person, route = 'GET /api/audit/export'): Promise<string[]> {
  const { text, status } = await person.rest(route);
  expect(status).toBe(200);
  return text.trimEnd().split('\n');
}

/** What the script that the page offers says of a file. */
async function verify(lines: readonly string[]): Promise<string> {
  const file = join(folder, 'activity.jsonl');
  await writeFile(file, `${lines.join('\n')}\n`);
  try {
    return (await promisify(execFile)(process.execPath, [SCRIPT, file])).stdout;
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}

test('parallel writers are sealed without a gap, by several sealers, also where one is killed', async () => {
  const { db } = world.deps;
  const sealing = new AbortController();
  const sealer = async () => {
    while (!sealing.signal.aborted) await sealRecords(db).catch(() => {});
  };
  const sealers = [sealer(), sealer()];
  const killer = (async () => {
    for (let kill = 0; kill < 5; kill += 1) {
      await sql`
        select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and objid = 7303841 and pid <> pg_backend_pid()`.execute(db);
    }
  })();
  const late = Promise.withResolvers<void>();
  // A transaction with an earlier id than most, which commits after all of them were sealed.
  const straggler = db.transaction().execute(async (trx) => {
    await note(ada, 'late', trx);
    await late.promise;
  });
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 12; n += 1) await note(n % 2 ? ada : bob, `${writer}-${n}`).catch(() => {});
    }),
  );
  await killer;
  late.resolve();
  await straggler.catch(() => {});
  sealing.abort();
  await Promise.all(sealers);
  await sealRecords(db);

  const rows = await db.selectFrom('auditLog').selectAll().orderBy('chain').orderBy('position').execute();
  expect(rows.length).toBeGreaterThan(60);
  for (const chain of [ada, bob].map(({ user }) => user.id)) {
    const places = rows.filter((row) => row.chain === chain).map(({ position }) => position);
    expect(places).toEqual(places.map((_, index) => index + 1));
  }
  for (const person of [ada, bob])
    expect(await verify(await exported(person))).toContain('every record holds');
});

test('the script finds what was changed, removed, moved or added', async () => {
  const lines = await exported(ada);
  expect(lines.length).toBeGreaterThan(10);
  const [, , , fourth = '', fifth = ''] = lines;
  const { hash } = (await ada.rest('GET /api/audit/chain')).body as AuditChain;
  expect(await verify(lines)).toContain(hash);
  const place = (fourth: string) => (JSON.parse(fourth) as { record: { position: number } }).record.position;
  const broken = (at: number) => `Record ${at} is not what was sealed`;
  const at = place(fourth);
  expect(await verify(lines.with(3, fourth.replace('projects.update', 'projects.upDate')))).toContain(
    broken(at),
  );
  expect(await verify(lines.toSpliced(3, 1))).toContain(broken(at));
  expect(await verify(lines.with(3, fifth).with(4, fourth))).toContain(broken(at));
  expect(await verify(lines.toSpliced(3, 0, fourth))).toContain(broken(at + 1));
  expect(await verify(lines.slice(0, -1))).toContain('are missing');
});

test('records are neither changed nor deleted, but for the oldest, whose chain still verifies', async () => {
  const { db } = world.deps;
  await note(bob, 'unsealed');
  const changes = [
    sql`update unsealed_records set record = record || '{"actor_email": "eve@example.com"}'`,
    sql`delete from unsealed_records`,
    sql`truncate unsealed_records`,
    sql`update audit_records set actor_email = 'eve@example.com'`,
    sql`update audit_records set hash = null, position = null`,
    sql`delete from audit_records`,
    sql`truncate audit_records`,
  ];
  for (const change of changes) await expect(change.execute(db)).rejects.toThrow('never changed or deleted');

  await db.transaction().execute(async (trx) => {
    await sql`alter table audit_records disable trigger guard_record`.execute(trx);
    await trx
      .updateTable('auditRecords')
      .set({ at: sql<string>`now() - interval '366 days'`, position: null, hash: null })
      .where('chain', '=', bob.user.id)
      .where('position', '<=', 5)
      .execute();
    await sql`update audit_records set position = null, hash = null where chain = ${bob.user.id}`.execute(
      trx,
    );
    await sql`delete from audit_chains where chain = ${bob.user.id}`.execute(trx);
    await sql`alter table audit_records enable trigger guard_record`.execute(trx);
  });
  await sealRecords(db);
  const count = async () =>
    (await db.selectFrom('auditLog').select('id').where('chain', '=', bob.user.id).execute()).length;
  const [before, there] = [await exported(bob), await count()];
  // One that is under way is whole though the sweep comes in between.
  const answer = await exportChain(db, bob.user.id, 'jsonl');
  const body = (answer.body as () => AsyncGenerator<string>)();
  const [first] = [(await body.next()).value as string];
  await sweepRecords(db);
  expect(await count()).toBe(there - 5);
  let rest = first;
  for await (const piece of body) rest += piece;
  expect(await verify(rest.trimEnd().split('\n'))).toContain('every record holds');
  const after = await exported(bob);
  expect(after).toEqual(before);
  expect(await verify(after)).toContain('every record holds');
  expect((await bob.rest('GET /api/audit/chain')).body).toMatchObject({ sweptPosition: 5 });
});

test('what the version before writes while an upgrade goes on is shown and sealed', async () => {
  const { db } = world.deps;
  await note(ada, 'by this version');
  await db
    .insertInto('auditRecords')
    .columns(['chain', 'actorEmail', 'via', 'procedure', 'subjectKind', 'subjectName', 'result'])
    .expression((eb) =>
      eb
        .selectFrom('auditLog')
        .select([
          'chain',
          'actorEmail',
          'via',
          'procedure',
          'subjectKind',
          sql.lit('by the former').as('name'),
        ])
        .select('result')
        .where('subjectName', '=', 'by this version'),
    )
    .execute();
  const newest = async () =>
    (await ada.rpc.audit.list.query({ limit: 2 })).map(({ subject, position }) => [subject.name, position]);
  const unsealed = [
    ['by the former', null],
    ['by this version', null],
  ];
  expect(await newest()).toEqual(unsealed);
  await sealRecords(db);
  const { position } = (await ada.rest('GET /api/audit/chain')).body as AuditChain;
  expect(await newest()).toEqual([
    ['by the former', position],
    ['by this version', position - 1],
  ]);
  expect(await verify(await exported(ada))).toContain('every record holds');
});

test('a record that cannot be sealed keeps no other from it, and a stop ends it between two batches', async () => {
  const { db } = world.deps;
  await sql`alter table audit_records add constraint poison check (position is null or subject_name <> 'poison') not valid`.execute(
    db,
  );
  const waiting = async () =>
    (await db.selectFrom('auditLog').select('subjectName').where('position', 'is', null).execute()).map(
      ({ subjectName }) => subjectName,
    );
  for (const name of ['one', 'two', 'poison', 'three', 'four']) await note(ada, name);
  await sealRecords(db, { signal: AbortSignal.abort() });
  expect(await waiting()).toHaveLength(5);
  const told: string[] = [];
  await sealRecords(db, { onUnsealable: ({ id }) => told.push(id) });
  expect(await waiting()).toEqual(['poison']);
  expect(told).toHaveLength(1);
  expect(await verify(await exported(ada))).toContain('every record holds');
  await sql`alter table audit_records drop constraint poison`.execute(db);
  await sealRecords(db);
  expect(await waiting()).toEqual([]);
});

test('a chain of which nothing can be sealed is left out after three, and keeps no other from it', async () => {
  const { db } = world.deps;
  await sql`alter table audit_records add constraint poison check (position is null or subject_name <> 'poison') not valid`.execute(
    db,
  );
  for (let n = 0; n < 8; n += 1) await note(ada, 'poison');
  await note(bob, 'after');
  const told: string[] = [];
  const unsealable = createUnsealable();
  const seal = () => sealRecords(db, { unsealable, onUnsealable: ({ id }) => told.push(id) });
  await seal();
  await note(ada, 'poison');
  await note(bob, 'later');
  await seal();
  expect(told).toHaveLength(3);
  const waiting = db.selectFrom('auditLog').select('chain').where('position', 'is', null);
  expect(new Set((await waiting.execute()).map(({ chain }) => chain))).toEqual(new Set([ada.user.id]));
  await sql`alter table audit_records drop constraint poison`.execute(db);
  await sealRecords(db);
  expect(await waiting.execute()).toEqual([]);
});

test('each sees the records of their own workspace alone, and administrators see all', async () => {
  const own = await bob.rpc.audit.list.query({ limit: 5 });
  expect(own).toHaveLength(5);
  expect((await bob.rest('GET /api/audit?limit=5')).body).toEqual(own);
  expect(own.every(({ workspaceId }) => workspaceId === bob.user.id)).toBe(true);
  const next = await bob.rpc.audit.list.query({ limit: 5, cursor: own.at(-1)?.id });
  expect(next[0]?.id.localeCompare(own.at(-1)?.id ?? '')).toBe(-1);
  expect(await bob.rpc.audit.list.query({ search: '3-2', kind: 'project' })).toMatchObject([
    { subject: { name: '3-2' }, actor: { email: 'bob@example.com' } },
  ]);
  expect(await bob.rpc.audit.list.query({ actorId: ada.user.id })).toEqual([]);
  const from = own[2]?.at ?? '';
  expect((await bob.rpc.audit.list.query({ from })).length).toBeLessThan(10);
  expect((await bob.rpc.audit.list.query({ to: '2020-01-01T00:00:00Z' })).length).toBe(0);
  for (const path of ['audit', 'audit/chain', 'audit/export', 'admin/audit', 'admin/audit/export']) {
    expect((await world.anyone.rest(`GET /api/${path}`)).status).toBe(401);
  }
  expect((await bob.rest('GET /api/admin/audit')).status).toBe(403);
  expect((await bob.rest('GET /api/admin/audit/export')).status).toBe(403);
  const everyone = await ada.rpc.audit.installation.query({ everyone: true });
  expect(new Set(everyone.map(({ workspaceId }) => workspaceId))).toEqual(
    new Set([ada.user.id, bob.user.id]),
  );
  expect(await ada.rpc.audit.installation.query()).toEqual([]);
  await ada.rpc.admin.changeRole.mutate({ userId: bob.user.id, role: 'member' });
  await sealRecords(world.deps.db);
  expect(await ada.rpc.audit.installation.query()).toMatchObject([{ workspaceId: null, position: 1 }]);
  expect(await verify(await exported(ada, 'GET /api/admin/audit/export'))).toContain('every record holds');
  const csv = await exported(bob, 'GET /api/audit/export?format=csv');
  expect(csv[0]).toMatch(/^Position,Time,Person/);
});

test("the ledger's chain tells a transaction that is not what it was", async () => {
  const { db } = world.deps;
  const { id } = await ada.rpc.paymentGateway.createVirtualAccount.mutate({ accountName: 'Ada' });
  const receive = () =>
    ada.rpc.paymentGateway.receive.mutate({
      ...{ virtualAccountId: id, amount: 100, senderAccountNumber: '12345678' },
      ...{ senderAccountName: 'Bob', senderBankName: 'Bank' },
    });
  await Promise.all([receive(), receive(), receive()]);
  const chainOf = async () => (await ada.rpc.paymentGateway.trialBalance.query()).chain;
  expect(await chainOf()).toEqual({ links: 0, waiting: 3, brokenAt: null });
  await Promise.all([linkTransactions(db), linkTransactions(db)]);
  await linkTransactions(db);
  expect(await chainOf()).toEqual({ links: 3, waiting: 0, brokenAt: null });
  const links = await db.selectFrom('ledgerLinks').selectAll().orderBy('position').execute();
  await expect(sql`delete from ledger_links`.execute(db)).rejects.toThrow('never changed');
  await db.transaction().execute(async (trx) => {
    await sql`alter table ledger_transactions disable trigger unchangeable`.execute(trx);
    await sql`update ledger_transactions set reference = 'Forged' where id = ${links[1]?.transactionId}`.execute(
      trx,
    );
    await sql`alter table ledger_transactions enable trigger unchangeable`.execute(trx);
  });
  expect(await chainOf()).toMatchObject({ brokenAt: links[1]?.transactionId });
});

test('a column that comes later leaves hashes as they are', async () => {
  const { db } = world.deps;
  await note(ada, 'Before');
  await sealRecords(db);
  const before = await exported(ada);
  await sql`alter table audit_records add column later integer not null default 1`.execute(db);
  expect(await exported(ada)).toEqual(before);
  await sql`alter table audit_records drop column later`.execute(db);
});
