import { once } from 'node:events';
import type { Inputs, ReplyEvent } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UserContext } from '../src/context.ts';
import { ask } from '../src/domains/assistant/ask.ts';
import {
  type AssistantWorld,
  chat,
  converse,
  createAssistantWorld,
  eventually,
  KEY,
  PATIENCE,
  settingsFor,
} from './assistant-world.ts';
import { createKillableServer } from './killable-server.ts';
import { dictate, type OpenAiServer, says } from './openai-server.ts';
import { callerOf, createWorld, type Person, type World } from './world.ts';

/** Milliseconds within which a model's connection is dropped. */
const PROMPT = 1000;
const times = { assistantTimes: { beat: 100 } };

let world: AssistantWorld;
let replica: World;
let model: OpenAiServer;
let ada: Person;
/** Ada at the other replica. */
let adaElsewhere: Omit<Person, 'user'>;
let sessionId: string;

beforeAll(async () => {
  world = await createAssistantWorld(says('Hello.'), { running: true, overrides: times });
  model = world.model;
  replica = await createWorld({
    databaseUrl: world.databaseUrl,
    settings: settingsFor(model),
    overrides: times,
    running: true,
  });
  ada = await world.as('Ada');
  adaElsewhere = callerOf(replica.url, ada.cookie);
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

beforeEach(async () => {
  sessionId = await converse(ada);
});

interface Reader {
  events: { id: string; data: ReplyEvent }[];
  /** The text that came so far. */
  text(): string;
  ended: Promise<void>;
  close(): void;
}

function read(person: Pick<Person, 'rpc'>, input: Inputs['assistant']['reply']): Reader {
  const events: Reader['events'] = [];
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const stream = person.rpc.assistant.reply.subscribe(input, {
    onData: (event) => events.push(event),
    onComplete: resolve,
    onError: reject,
  });
  ended.catch(() => {});
  const text = () => events.map(({ data }) => (data.type === 'text' ? data.text : '')).join('');
  return { events, text, ended, close: () => stream.unsubscribe() };
}

function send(person: Pick<Person, 'rpc'>, message = 'Hi'): Promise<{ replyId: string }> {
  return person.rpc.assistant.send.mutate({ sessionId, message });
}

/** What of a conversation is kept: who said what, and whether it broke off. */
async function kept(): Promise<unknown[]> {
  const messages = await ada.rpc.assistant.messages.query({ sessionId });
  return messages.map(({ sender, content, metadata }) => [sender, content, metadata.truncated ?? false]);
}

const DONE = { type: 'done', truncated: false, error: '' };

describe('a reader', () => {
  test.each([
    ['the same replica', () => ada],
    ['another replica', () => adaElsewhere],
  ])('on %s sees the text as it comes, and resumes where it left off', async (_where, person) => {
    const asked = dictate(model);
    await send(ada);
    const answer = await asked;
    await answer.text('One. ');
    const first = read(person(), { sessionId });
    await eventually(first.text).toBe('One. ');
    first.close();

    await answer.text('Two. ');
    const lastEventId = first.events.at(-1)?.id;
    const second = read(person(), { sessionId, lastEventId });
    await eventually(second.text).toBe('Two. ');
    // As after a reload: from the beginning.
    const third = read(person(), { sessionId });
    await eventually(third.text).toBe('One. Two. ');
    await answer.text('Three.');
    await answer.finish();
    await Promise.all([second.ended, third.ended]);
    expect(second.text()).toBe('Two. Three.');
    expect(third.events.at(-1)?.data).toEqual(DONE);
    expect(await kept()).toEqual([
      ['user', 'Hi', false],
      ['assistant', 'One. Two. Three.', false],
    ]);
  });

  test('may resume, or name the reply, after its end; without either there is nothing', async () => {
    model.follow(says('One. ', 'Two.'));
    const { replyId } = await send(ada);
    const whole = read(ada, { sessionId, replyId });
    await whole.ended;
    expect(whole.text()).toBe('One. Two.');
    for (const person of [ada, adaElsewhere]) {
      const again = read(person, { sessionId, replyId });
      await again.ended;
      expect(again.events).toEqual(whole.events);
      const resumed = read(person, { sessionId, lastEventId: whole.events[0]?.id });
      await resumed.ended;
      expect(resumed.events).toEqual(whole.events.slice(1));
      const none = read(person, { sessionId });
      await none.ended;
      expect(none.events).toEqual([]);
    }
  });

  test('gets nothing of somebody else’s reply', async () => {
    model.follow(says('Secret.'));
    const { replyId } = await send(ada);
    await read(ada, { sessionId, replyId }).ended;
    const bea = await world.as('Bea');
    await expect(read(bea, { sessionId, replyId }).ended).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
    const own = read(bea, { sessionId: await converse(bea), replyId });
    await own.ended;
    expect(own.events).toEqual([]);
  });
});

describe('replies under way', () => {
  test('are one of a conversation and two of a person, over all replicas', async () => {
    const asked = dictate(model);
    await send(ada);
    const answer = await asked;
    await expect(send(adaElsewhere)).rejects.toMatchObject({
      data: { httpStatus: 409, reason: 'STREAM_IN_PROGRESS' },
    });
    const [second, third] = [await converse(ada), await converse(ada)];
    const held = dictate(model);
    await adaElsewhere.rpc.assistant.send.mutate({ sessionId: second, message: 'Hi' });
    await expect(ada.rpc.assistant.send.mutate({ sessionId: third, message: 'Hi' })).rejects.toMatchObject({
      data: { httpStatus: 429, reason: 'RATE_LIMITED' },
    });
    const refused = await chat(world, ada, third, { message: 'Hi' });
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
    await Promise.all([answer.finish(), held.then((other) => other.finish())]);
    await eventually(async () => (await chat(world, ada, third, { message: 'Hi' })).status).toBe(200);
    await ada.rpc.assistant.stop.mutate({ id: third });
  });

  test('asked for twenty times at once are still two', async () => {
    model.follow((completion) => completion.wait(60_000));
    const sessions = await Promise.all(Array.from({ length: 20 }, () => converse(ada)));
    const answers = await Promise.allSettled(
      sessions.map((id, index) =>
        (index % 2 ? ada : adaElsewhere).rpc.assistant.send.mutate({ sessionId: id, message: 'Hi' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await Promise.all(sessions.map((id) => ada.rpc.assistant.stop.mutate({ id })));
  });

  test.each([
    ['the same replica', () => ada],
    ['another replica', () => adaElsewhere],
  ])('stopped from %s keep what there is, and the conversation goes on at once', async (_where, person) => {
    const asked = dictate(model);
    await send(ada);
    const reader = read(ada, { sessionId });
    const answer = await asked;
    await answer.text('Half an ans');
    await eventually(reader.text).toBe('Half an ans');
    await person().rpc.assistant.stop.mutate({ id: sessionId });
    await reader.ended;
    expect(reader.events.at(-1)?.data).toEqual({ type: 'done', truncated: true, error: '' });
    expect(await kept()).toEqual([
      ['user', 'Hi', false],
      ['assistant', 'Half an ans', true],
    ]);
    expect(answer.gone.aborted || (await once(answer.gone, 'abort'))).toBeTruthy();
    model.follow(says('Fine.'));
    const { replyId } = await send(ada, 'Again');
    await read(ada, { sessionId, replyId }).ended;
    expect((await kept()).at(-1)).toEqual(['assistant', 'Fine.', false]);
  });

  test.each([
    ['looked after', () => {}, ['assistant', 'Fine.', false]],
    [
      'given up',
      (replyId: string) => world.deps.assistant.running(replyId)?.giveUp(''),
      ['user', 'Hi', false],
    ],
  ])('that are %s before their question is committed end all the same', async (_what, meanwhile, last) => {
    model.follow(says('Fine.'));
    const { replyId } = await world.deps.db.transaction().execute(async (trx) => {
      const ctx = { ...world.deps, db: trx, user: ada.user, requestId: 'test' } as unknown as UserContext;
      const asked = await ask(ctx, { sessionId, message: 'Hi' });
      meanwhile(asked.replyId);
      // As slow as some beats.
      await sql`select pg_sleep(0.5)`.execute(trx);
      return asked;
    });
    await read(ada, { sessionId, replyId }).ended;
    expect((await kept()).at(-1)).toEqual(last);
    const again = await send(ada, 'Again');
    await read(ada, { sessionId, replyId: again.replyId }).ended;
  });

  test('end with their conversation', async () => {
    const asked = dictate(model);
    await send(ada);
    const reader = read(ada, { sessionId });
    const answer = await asked;
    await ada.rpc.assistant.removeSession.mutate({ id: sessionId });
    expect(answer.gone.aborted || (await once(answer.gone, 'abort'))).toBeTruthy();
    await reader.ended;
  });
});

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
    await eventually(kept).toContainEqual(['assistant', 'Half', true]);
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
    expect(await kept()).toContainEqual(['assistant', 'Half and half.', false]);
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
    await eventually(kept).toContainEqual(['assistant', 'Half', true]);
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
      expect(await kept()).toContainEqual(['assistant', 'Half', true]);
      model.follow(says('Fine.'));
      await send(ada);
    } finally {
      await server.close();
    }
  }, 60_000);

  test('by a stop keeps what there is, says so, and takes no more', async () => {
    const leaving = await createWorld({ databaseUrl: world.databaseUrl, settings: settingsFor(model) });
    const there = callerOf(leaving.url, ada.cookie);
    try {
      const asked = dictate(model);
      const connection = await chat(leaving, ada, sessionId, { message: 'Hi' });
      const reader = read(ada, { sessionId });
      const answer = await asked;
      await answer.text('Half');
      expect(await connection.next()).toEqual({ content: 'Half' });
      await leaving.deps.assistant.stop();
      const error = 'The server is restarting. Ask again in a moment.';
      expect(await connection.rest()).toEqual([{ content: '', error }, '[DONE]']);
      await reader.ended;
      expect(reader.events.at(-1)?.data).toEqual({ type: 'done', truncated: true, error });
      expect(await kept()).toContainEqual(['assistant', 'Half', true]);
      await expect(send(there)).rejects.toMatchObject({ data: { httpStatus: 503 } });
    } finally {
      await leaving.close();
    }
  });
});
