import { randomUUID } from 'node:crypto';
import { MAX_ASSISTANT_MESSAGE } from '@nephos/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import {
  type AssistantWorld,
  chat,
  converse,
  createAssistantWorld,
  KEY,
  wordsOf,
} from './assistant-world.ts';
import { callsThenSays, type OpenAiServer, says } from './openai-server.ts';

let world: AssistantWorld;
let model: OpenAiServer;
let ada: Person;
let bea: Person;

beforeAll(async () => {
  world = await createAssistantWorld(says('Hello.'), { running: true });
  model = world.model;
  [ada, bea] = [await world.as('Ada'), await world.as('Bea')];
});

afterAll(() => world.close());

beforeEach(() => model.follow(says('Hello.')));

describe('a chat over REST', () => {
  test('streams lines of JSON, ends with [DONE], and is kept with its counts', async () => {
    model.follow(says('You have ', 'no "projects"\n', 'yet. 🎉'));
    const sessionId = await converse(ada);
    const body = { message: '  What do I have? ', resourceScope: 'general', resourceId: null };
    const answer = await chat(world, ada, sessionId, body);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    const lines = await answer.rest();
    expect(lines.at(-1)).toBe('[DONE]');
    expect(wordsOf(lines)).toBe('You have no "projects"\nyet. 🎉');
    expect(await ada.rpc.assistant.messages.query({ sessionId })).toMatchObject([
      { sender: 'user', content: 'What do I have?', metadata: {} },
      {
        sender: 'assistant',
        content: 'You have no "projects"\nyet. 🎉',
        metadata: { model: 'test-model', promptTokens: 10, completionTokens: 3 },
      },
    ]);
    expect(model.requests[0]?.authorization).toBe(`Bearer ${KEY}`);
    expect(model.requests[0]?.body).toMatchObject({ model: 'test-model', stream: true });
  });

  test('is kept whatever the model server claims to have counted', async () => {
    model.follow(async (completion) => {
      if (completion.round === 0) await completion.toolCalls({ name: 'projects_list', args: {} });
      else await completion.text('Done.');
      await completion.finish({ promptTokens: Number.MAX_SAFE_INTEGER, completionTokens: 1 });
    });
    const sessionId = await converse(ada);
    await (await chat(world, ada, sessionId, { message: 'Hi' })).rest();
    const messages = await ada.rpc.assistant.messages.query({ sessionId });
    expect(messages.at(-1)).toMatchObject({ content: 'Done.', metadata: { model: 'test-model' } });
    expect(messages.at(-1)?.metadata.promptTokens ?? 0).toBeLessThan(1e9);
  });

  test('refuses in JSON, before any stream', async () => {
    const sessionId = await converse(ada);
    const foreign = await converse(bea);
    const status = async (person: Pick<Person, 'cookie'>, id: string, body: unknown) => {
      const answer = await chat(world, person, id, body);
      return [answer.status, (answer.body as { code?: string } | undefined)?.code];
    };
    expect(await status(world.anyone, sessionId, { message: 'Hi' })).toEqual([401, 'UNAUTHORIZED']);
    expect(await status(ada, foreign, { message: 'Hi' })).toEqual([404, 'NOT_FOUND']);
    expect(await status(ada, randomUUID(), { message: 'Hi' })).toEqual([404, 'NOT_FOUND']);
    expect(await status(ada, 'nonsense', { message: 'Hi' })).toEqual([404, 'NOT_FOUND']);
    for (const message of [
      '',
      ' \n\t ',
      'x'.repeat(MAX_ASSISTANT_MESSAGE + 1),
      5,
      null,
      undefined,
      'a\u0000b',
    ]) {
      expect(await status(ada, sessionId, { message })).toEqual([400, 'VALIDATION']);
    }
    expect(await status(ada, sessionId, { message: 'Hi', resourceScope: 'admin' })).toEqual([
      400,
      'VALIDATION',
    ]);
    expect(await status(ada, sessionId, { message: 'Hi', resourceId: 'x' })).toEqual([400, 'VALIDATION']);
    expect(await status(ada, sessionId, [])).toEqual([400, 'VALIDATION']);
    expect((await ada.rest(`GET /api/assistant/chat/${sessionId}`)).status).toBe(405);
    expect(model.requests).toEqual([]);
    expect(await ada.rpc.assistant.messages.query({ sessionId })).toEqual([]);
  });

  test('takes questions of 1 and of 8,000 characters', async () => {
    const sessionId = await converse(ada);
    for (const message of ['?', 'x'.repeat(MAX_ASSISTANT_MESSAGE)]) {
      const answer = await chat(world, ada, sessionId, { message });
      expect((await answer.rest()).at(-1)).toBe('[DONE]');
    }
    const messages = await ada.rpc.assistant.messages.query({ sessionId });
    expect(messages.map(({ content }) => content.length)).toEqual([1, 6, MAX_ASSISTANT_MESSAGE, 6]);
  });

  test('needs a token that may write', async () => {
    const sessionId = await converse(ada);
    const tokens = await Promise.all(
      (['read', 'write'] as const).map((scope) => ada.rpc.auth.createToken.mutate({ name: scope, scope })),
    );
    const [reads, writes] = await Promise.all(
      tokens.map(({ token }) =>
        world.anyone.rest(`POST /api/assistant/chat/${sessionId}`, {
          body: { message: 'Hi' },
          headers: { authorization: `Bearer ${token}` },
        }),
      ),
    );
    expect(reads?.status).toBe(403);
    expect(writes?.text).toContain('{"content":"Hello."}');
  });

  test('repeated with its Idempotency-Key is asked once, and answered with what there is', async () => {
    const sessionId = await converse(ada);
    const request = { body: { message: 'Hi' }, headers: { 'idempotency-key': 'once' } };
    const first = await ada.rest(`POST /api/assistant/chat/${sessionId}`, request);
    const second = await ada.rest(`POST /api/assistant/chat/${sessionId}`, request);
    expect(first.text).toMatch(/data: \{"content":"Hello\."\}\n\ndata: \[DONE\]\n\n$/);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(model.requests).toHaveLength(1);
  });
});

describe('tools', () => {
  test('are called as the person, and leave messages with their names', async () => {
    await ada.rpc.projects.create.mutate({ name: 'Visible to Ada' });
    await bea.rpc.projects.create.mutate({ name: 'Visible to Bea' });
    model.follow(callsThenSays([[{ name: 'projects_list', args: {} }]], 'You have one.'));
    const sessionId = await converse(ada);
    const answer = await chat(world, ada, sessionId, { message: 'Which projects?' });
    expect(wordsOf(await answer.rest())).toBe('You have one.');
    const messages = await ada.rpc.assistant.messages.query({ sessionId });
    expect(messages.map(({ sender }) => sender)).toEqual(['user', 'tool', 'assistant']);
    expect(messages[1]?.metadata).toEqual({ toolName: 'projects_list' });
    expect(messages[1]?.content).toContain('Visible to Ada');
    expect(messages[1]?.content).not.toContain('Visible to Bea');
    expect(messages[2]?.metadata).toMatchObject({ promptTokens: 20, completionTokens: 6 });
    expect(model.requests[1]?.body.messages.at(-1)?.content).toContain('Visible to Ada');
  });

  test('with malformed arguments or unknown names are refused to the model, which goes on', async () => {
    const calls = [
      { name: 'projects_list', args: '{"limit": ' },
      { name: 'rm', args: {} },
    ];
    model.follow(callsThenSays([calls], 'Sorry.'));
    const sessionId = await converse(ada);
    const answer = await chat(world, ada, sessionId, { message: 'Hi' });
    expect(wordsOf(await answer.rest())).toBe('Sorry.');
    const results = model.requests[1]?.body.messages.filter(({ role }) => role === 'tool');
    expect(results).toHaveLength(2);
  });

  test('are shown under no longer a name than a tool can have', async () => {
    model.follow(callsThenSays([[{ name: 'x'.repeat(5000), args: {} }]], 'Sorry.'));
    const sessionId = await converse(ada);
    await (await chat(world, ada, sessionId, { message: 'Hi' })).rest();
    const [, tool] = await ada.rpc.assistant.messages.query({ sessionId });
    expect(tool?.metadata.toolName).toBe('x'.repeat(64));
  });

  test('without end are ended', async () => {
    model.follow(async (completion) => {
      await completion.toolCalls({ name: 'projects_list', args: {} });
      await completion.finish();
    });
    const sessionId = await converse(ada);
    const answer = await chat(world, ada, sessionId, { message: 'Hi' });
    expect(await answer.rest()).toEqual([
      { content: '', error: 'The model exceeded its limit of lookups.' },
      '[DONE]',
    ]);
    expect(model.requests).toHaveLength(9);
    expect(model.requests[8]?.body.tool_choice).toBe('none');
    const messages = await ada.rpc.assistant.messages.query({ sessionId });
    expect(messages.filter(({ sender }) => sender === 'tool')).toHaveLength(8);
  });
});
