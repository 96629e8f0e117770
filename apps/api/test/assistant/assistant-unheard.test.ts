import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKillableServer } from '../killable-server.ts';
import { callerOf, createWorld, type Person, type World } from '../world.ts';
import { createReplicas, DONE, read } from './assistant-replicas.ts';
import {
  type AssistantWorld,
  chat,
  converse,
  eventually,
  KEY,
  keptOf,
  PATIENCE,
  settingsFor,
} from './assistant-world.ts';
import { dictate, type OpenAiServer, says } from './openai-server.ts';

/** Milliseconds within which a model's connection is dropped. */
const PROMPT = 1000;

let world: AssistantWorld;
let replica: World;
let model: OpenAiServer;
let ada: Person;
let adaElsewhere: Omit<Person, 'user'>;
let sessionId: string;

beforeAll(async () => {
  ({ world, replica, ada, adaElsewhere } = await createReplicas());
  model = world.model;
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

beforeEach(async () => {
  sessionId = await converse(ada);
});

function send(person: Pick<Person, 'rpc'>, message = 'Hi'): Promise<{ replyId: string }> {
  return person.rpc.assistant.send.mutate({ sessionId, message });
}

describe('nobody listens', () => {
  /** Lets more time pass for a reply than one waits for its readers. */
  async function age(replyId: string): Promise<void> {
    await sql`
      update assistant_replies set created_at = created_at - interval '1 minute',
        heard_at = heard_at - interval '1 minute'
      where id = ${replyId}`.execute(world.deps.db);
  }

  test('a chat’s model is left as soon as its connection is, and the text is kept', async () => {
    const asked = dictate(model);
    const connection = await chat(world, ada, sessionId, { message: 'Hi' });
    const answer = await asked;
    await answer.text('Half');
    expect(await connection.next()).toEqual({ content: 'Half' });
    const left = performance.now();
    connection.leave();
    await once(answer.gone, 'abort');
    expect(performance.now() - left).toBeLessThan(PROMPT);
    await eventually(() => keptOf(ada, sessionId)).toContainEqual(['assistant', 'Half', true]);
  });

  test('a chat goes on for who reads it in the console', async () => {
    const asked = dictate(model);
    const connection = await chat(world, ada, sessionId, { message: 'Hi' });
    const answer = await asked;
    const reader = read(adaElsewhere, { sessionId });
    await answer.text('Half');
    await eventually(reader.text).toBe('Half');
    connection.leave();
    await answer.text(' and half.');
    await eventually(reader.text).toBe('Half and half.');
    await answer.finish();
    await reader.ended;
    expect(await keptOf(ada, sessionId)).toContainEqual(['assistant', 'Half and half.', false]);
  });

  test('a reply in the console waits for its page to be loaded again, and is left after that', async () => {
    const asked = dictate(model);
    const { replyId } = await send(ada);
    const answer = await asked;
    const reader = read(ada, { sessionId });
    await answer.text('Half');
    await eventually(reader.text).toBe('Half');
    reader.close();
    // Several looks at who listens.
    await eventually(() => beats(replyId, 3)).toBe(true);
    expect(answer.gone.aborted).toBe(false);
    const reloaded = read(ada, { sessionId });
    await eventually(reloaded.text).toBe('Half');
    reloaded.close();
    await eventually(() => beats(replyId, 3)).toBe(true);
    await age(replyId);
    await once(answer.gone, 'abort', { signal: AbortSignal.timeout(PATIENCE) });
    await eventually(() => keptOf(ada, sessionId)).toContainEqual(['assistant', 'Half', true]);
  });

  test.each([
    ['the same replica', () => ada],
    ['another replica', () => adaElsewhere],
  ])('but a reader on %s does', async (_where, person) => {
    const asked = dictate(model);
    const { replyId } = await send(ada);
    const answer = await asked;
    const reader = read(person(), { sessionId });
    await answer.text('Half');
    await eventually(reader.text).toBe('Half');
    // Only that it was read counts, not when it began.
    await sql`update assistant_replies set created_at = created_at - interval '1 minute' where id = ${replyId}`.execute(
      world.deps.db,
    );
    await eventually(() => beats(replyId, 3)).toBe(true);
    await answer.finish();
    await reader.ended;
    expect(reader.events.at(-1)?.data).toEqual(DONE);
  });

  const leases = new Map<string, Set<string>>();
  /** Whether so many looks have been taken since this was first asked. */
  async function beats(replyId: string, count: number): Promise<boolean> {
    const { leaseUntil } = await world.deps.db
      .selectFrom('assistantReplies')
      .select('leaseUntil')
      .where('id', '=', replyId)
      .executeTakeFirstOrThrow();
    const seen = (leases.get(replyId) ?? new Set()).add(leaseUntil);
    leases.set(replyId, seen);
    if (seen.size <= count) return false;
    leases.delete(replyId);
    return true;
  }
});

describe('a writer that ends', () => {
  test('by SIGKILL leaves what it stored, and the conversation free once its lease is over', async () => {
    const server = await createKillableServer({
      DATABASE_URL: world.databaseUrl,
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'test-model',
      DNS_PORT: '0',
      MANAGED_POSTGRES_PORT: '0',
    });
    try {
      await server.start();
      const asked = dictate(model);
      await send(callerOf(server.url, ada.cookie));
      const reader = read(ada, { sessionId });
      const answer = await asked;
      await answer.text('Half');
      await eventually(reader.text).toBe('Half');
      await server.kill();
      await expect(send(ada)).rejects.toMatchObject({ data: { reason: 'STREAM_IN_PROGRESS' } });
      await sql`update assistant_replies set lease_until = now() where status = 'writing'`.execute(
        world.deps.db,
      );
      await reader.ended;
      expect(reader.events.at(-1)?.data).toMatchObject({ type: 'done', truncated: true });
      expect(await keptOf(ada, sessionId)).toContainEqual(['assistant', 'Half', true]);
      model.follow(says('Fine.'));
      const { replyId } = await send(ada);
      await read(ada, { sessionId, replyId }).ended;
    } finally {
      await server.close();
    }
  });

  test('by a stop keeps what there is, says so, and takes no more', async () => {
    const leaving = await createWorld({ databaseUrl: world.databaseUrl, settings: settingsFor(model) });
    const there = callerOf(leaving.url, ada.cookie);
    try {
      const asked = dictate(model);
      const connection = await chat(leaving, ada, sessionId, { message: 'Hi' });
      const answer = await asked;
      const reader = read(ada, { sessionId });
      await answer.text('Half');
      expect(await connection.next()).toEqual({ content: 'Half' });
      await eventually(reader.text).toBe('Half');
      await leaving.deps.domains.assistant.writer.stop();
      const error = 'The server is restarting. Ask again in a moment.';
      expect(await connection.rest()).toEqual([{ content: '', error }, '[DONE]']);
      await reader.ended;
      expect(reader.events.at(-1)?.data).toEqual({ type: 'done', truncated: true, error });
      expect(await keptOf(ada, sessionId)).toContainEqual(['assistant', 'Half', true]);
      await expect(send(there)).rejects.toMatchObject({ data: { httpStatus: 503 } });
    } finally {
      await leaving.close();
    }
  });
});
