import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import { type AssistantWorld, chat, converse, createAssistantWorld } from './assistant-world.ts';
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
