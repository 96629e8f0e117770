import { randomUUID } from 'node:crypto';
import { MAX_ASSISTANT_MESSAGE } from '@nephos/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantWorld,
  chat,
  converse,
  createAssistantWorld,
  KEY,
  wordsOf,
} from './assistant-world.ts';
import { callsThenSays, type OpenAiServer, says } from './openai-server.ts';
import type { Person } from './world.ts';

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

/** Asks by the console's door and waits for the end of the answer. */
async function askAndWait(
  person: Person,
  sessionId: string,
  message: string,
  more: object = {},
): Promise<void> {
  const { replyId } = await person.rpc.assistant.send.mutate({ sessionId, message, ...more });
  await new Promise<void>((done, failed) =>
    person.rpc.assistant.reply.subscribe({ sessionId, replyId }, { onComplete: done, onError: failed }),
  );
}

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

describe('what is asked about', () => {
  test('must be the person’s own and of the scope', async () => {
    const [project, foreign] = await Promise.all(
      [ada, bea].map((person) => person.rpc.projects.create.mutate({ name: 'Shop' })),
    );
    const image = await ada.rpc.containers.create.mutate({ name: 'shop' });
    const create = (
      resourceScope: 'database' | 'container' | 'kubernetes' | 'general',
      resourceId?: string,
    ) => ada.rest('POST /api/assistant/sessions', { body: { resourceScope, resourceId } });
    for (const scope of ['general', 'kubernetes'] as const) {
      expect((await create(scope, project?.id)).body).toMatchObject({
        resourceScope: scope,
        resourceId: project?.id,
      });
      expect((await create(scope, foreign?.id)).status).toBe(404);
    }
    for (const scope of ['database', 'container'] as const) {
      expect((await create(scope, project?.id)).status).toBe(404);
      expect((await create(scope)).status).toBe(201);
    }
    expect((await create('container', image.id)).status).toBe(201);
    expect((await ada.rest('POST /api/assistant/sessions', { body: { resourceScope: 'all' } })).status).toBe(
      400,
    );

    const sessionId = await converse(ada);
    const answer = await chat(world, ada, sessionId, { message: 'Hi', resourceId: foreign?.id });
    expect(answer.status).toBe(404);
  });

  test('changes with the tab for later questions, in the same conversation', async () => {
    const project = await ada.rpc.projects.create.mutate({ name: 'Tabbed' });
    const sessionId = await converse(ada);
    await askAndWait(ada, sessionId, 'First');
    await askAndWait(ada, sessionId, 'Second', { resourceScope: 'kubernetes', resourceId: project.id });
    await askAndWait(ada, sessionId, 'Third');
    await askAndWait(ada, sessionId, 'Fourth', { resourceScope: 'database' });
    const prompts = model.requests.map(({ body }) => body.messages[0]?.content ?? '');
    expect(prompts[0]).toContain('everything they have here');
    expect(prompts[1]).toContain(`their project with the id ${project.id}`);
    expect(prompts[2]).toBe(prompts[1]);
    expect(prompts[3]).toContain('their managed databases');
    expect(prompts[3]).not.toContain(project.id);
    const [session] = await ada.rpc.assistant.sessions.query();
    expect(session).toMatchObject({
      id: sessionId,
      title: 'First',
      resourceScope: 'database',
      resourceId: null,
    });
  });
});

describe('conversations', () => {
  test('are listed once they have a message, read with what came before, and removed', async () => {
    const before = (await bea.rpc.assistant.sessions.query()).length;
    const empty = await converse(bea);
    const sessionId = await converse(bea);
    await askAndWait(bea, sessionId, `A question\nthat is ${'long '.repeat(40)}`);
    await askAndWait(bea, sessionId, 'And then?');
    const sessions = await bea.rpc.assistant.sessions.query();
    expect(sessions).toHaveLength(before + 1);
    expect(sessions.map(({ id }) => id)).not.toContain(empty);
    expect(sessions[0]?.title).toMatch(/^A question that is long .{50,}…$/);
    expect(model.requests[1]?.body.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);

    expect((await ada.rest(`DELETE /api/assistant/sessions/${sessionId}`)).status).toBe(404);
    expect((await ada.rest(`GET /api/assistant/sessions/${sessionId}/messages`)).status).toBe(404);
    expect((await ada.rest(`POST /api/assistant/sessions/${sessionId}/stop`)).status).toBe(404);
    expect((await bea.rest(`DELETE /api/assistant/sessions/${sessionId}`)).body).toEqual({ success: true });
    expect((await bea.rest(`DELETE /api/assistant/sessions/${sessionId}`)).status).toBe(404);
  });

  test('are read with what was said, whatever tools said meanwhile', async () => {
    const sessionId = await converse(bea);
    const calls = Array.from({ length: 8 }, () => ({ name: 'projects_list', args: {} }));
    for (const question of ['First', 'Second', 'Third', 'Fourth', 'Fifth']) {
      model.follow(callsThenSays([calls], 'Answer.'));
      await askAndWait(bea, sessionId, question);
    }
    const said = model.requests[0]?.body.messages ?? [];
    expect(said.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'First',
      'Second',
      'Third',
      'Fourth',
      'Fifth',
    ]);
    expect(said.some(({ role }) => role === 'tool')).toBe(false);
  });

  test('signed out there are none', async () => {
    const { anyone } = world;
    for (const route of [
      'POST /api/assistant/sessions',
      'GET /api/assistant/sessions',
      'GET /api/assistant/model',
    ]) {
      expect((await anyone.rest(route)).status).toBe(401);
    }
    const error = await new Promise((failed) =>
      anyone.rpc.assistant.reply.subscribe({ sessionId: randomUUID() }, { onError: failed }),
    );
    expect(error).toMatchObject({ data: { httpStatus: 401 } });
  });

  test('say who answers', async () => {
    expect(await ada.rpc.assistant.model.query()).toEqual({ local: false, name: 'test-model' });
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
      { content: '', error: 'The model asked for more than it may look up.' },
      '[DONE]',
    ]);
    expect(model.requests).toHaveLength(9);
    expect(model.requests[8]?.body.tool_choice).toBe('none');
    const messages = await ada.rpc.assistant.messages.query({ sessionId });
    expect(messages.filter(({ sender }) => sender === 'tool')).toHaveLength(8);
  });
});
