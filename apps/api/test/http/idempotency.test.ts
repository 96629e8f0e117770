import { createHash } from 'node:crypto';
import { contract } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/core/context.ts';
import { notFound } from '../../src/core/errors.ts';
import { createOnce } from '../../src/platform/idempotency.ts';
import { contextFor, createWorld, PASSWORD, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
});

afterAll(() => world.close());

async function create(person: Person, key: string, name: string) {
  return person.rest('POST /api/projects', { body: { name }, headers: { 'idempotency-key': key } });
}

async function countOf(person: Person, name: string): Promise<number> {
  return (await person.rpc.projects.list.query()).filter((project) => project.name === name).length;
}

describe('a write with an Idempotency-Key', () => {
  test('happens once and gives its first answer again', async () => {
    const first = await create(ada, 'once', 'Once');
    const again = await create(ada, '"once"', 'Once');
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await countOf(ada, 'Once')).toBe(1);
  });

  test('happens once through both doors together', async () => {
    const headers = { 'idempotency-key': 'doors' };
    const rpc = await ada.rest('POST /trpc/projects.create', { body: { name: 'Doors' }, headers });
    const rest = await create(ada, 'doors', 'Doors');
    expect(rest.headers.get('idempotency-replayed')).toBe('true');
    expect(rpc.body).toMatchObject({ result: { data: { id: (rest.body as { id: string }).id } } });
  });

  test('is refused when the key comes with another request', async () => {
    await create(ada, 'reused', 'Reused');
    expect(await create(ada, 'reused', 'Other')).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect(await countOf(ada, 'Other')).toBe(0);
  });

  test('ten at once are one effect; the others replay or are told that it is in progress', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(ada, 'parallel', 'Parallel')));
    expect(await countOf(ada, 'Parallel')).toBe(1);
    for (const { status, body } of answers) {
      if (status !== 201)
        expect({ status, body }).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
    }
    expect(answers.some(({ status }) => status === 201)).toBe(true);
  });

  test('is kept apart between people', async () => {
    const bob = await world.as('Bob');
    await create(ada, 'shared', 'Ada’s');
    const answer = await create(bob, 'shared', 'Bob’s');
    expect(answer).toMatchObject({ status: 201, body: { name: 'Bob’s' } });
  });

  test('replays a refusal that was executed, and undoes what it did', async () => {
    const carol = await world.as('Carol');
    for (let count = 1; count <= 5; count += 1) await create(carol, `c${count}`, `C${count}`);
    const refused = await create(carol, 'over', 'Sixth');
    expect(refused).toMatchObject({ status: 403, body: { code: 'PLAN_LIMIT_REACHED' } });
    const [newest] = await carol.rpc.projects.list.query();
    await carol.rpc.projects.remove.mutate({ id: newest?.id ?? '' });
    const again = await create(carol, 'over', 'Sixth');
    expect(again).toMatchObject({ status: 403, body: { code: 'PLAN_LIMIT_REACHED' } });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('does not keep failed validation', async () => {
    expect((await create(ada, 'mended', '')).status).toBe(400);
    await ada.rpc.projects.remove.mutate({ id: (await ada.rpc.projects.list.query())[0]?.id ?? '' });
    expect((await create(ada, 'mended', 'Mended')).status).toBe(201);
  });

  test.each(['a b', 'ä', 'x'.repeat(256), '""', 'a;b'])('is refused when the key is %j', async (key) => {
    const answer = await create(ada, Buffer.from(key).toString('latin1'), 'Bad key');
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
  });

  test('leaves no digest of a password behind', async () => {
    const dora = await world.as('Dora');
    const body = { currentPassword: PASSWORD, newPassword: 'another long password' };
    const headers = { 'idempotency-key': 'password' };
    expect((await dora.rest('POST /api/auth/password', { body, headers })).status).toBe(200);
    const { fingerprint } = await world.deps.db
      .selectFrom('idempotencyKeys')
      .select('fingerprint')
      .where('caller', '=', dora.user.id)
      .executeTakeFirstOrThrow();
    const guess = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    expect(fingerprint).toHaveLength(guess.length);
    expect(fingerprint).not.toBe(guess);
  });
});

describe('what is to follow a commit', () => {
  /** Runs a write under a key, as a call of Ada's would. */
  function onceUnder(value: string, afterCommit: Context['afterCommit']) {
    const ctx: Context = { ...contextFor(world, ada.user), afterCommit };
    return createOnce(world.deps.secrets, {
      ...{ row: contract.projects.create, path: 'projects.create', caller: ada.user.id },
      ...{ key: { value, fingerprint: value }, ctx },
    });
  }

  test('happens once the answer is kept, and not for a repetition', async () => {
    const seen: (object | undefined)[] = [];
    const kept: Promise<unknown>[] = [];
    const readKept = () =>
      world.deps.db.selectFrom('idempotencyKeys').select('answer').where('key', '=', 'follows').execute();
    for (const _ of [1, 2]) {
      await onceUnder('follows', () => kept.push(readKept()))(async (ctx) => {
        ctx.afterCommit(() => {});
        seen.push(await ctx.db.selectFrom('users').select('id').executeTakeFirst());
        expect(kept).toEqual([]);
        return 'done';
      });
    }
    expect(seen).toHaveLength(1);
    expect(await Promise.all(kept)).toEqual([[{ answer: { ok: true, output: 'done', existing: false } }]]);
  });

  test('does not happen where the write is refused or fails', async () => {
    const tasks: unknown[] = [];
    const failing = (error: Error) => async (ctx: Context) => {
      ctx.afterCommit(() => {});
      throw error;
    };
    const note = (task: unknown) => tasks.push(task);
    await expect(onceUnder('refused', note)(failing(notFound()))).rejects.toThrow('Not found.');
    await expect(onceUnder('fails', note)(failing(new Error('broken')))).rejects.toThrow('broken');
    expect(tasks).toEqual([]);
  });
});
