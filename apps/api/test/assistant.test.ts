import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AssistantWorld,
  chat,
  converse,
  createAssistantWorld,
  KEY,
  wordsOf,
} from './assistant-world.ts';
import { callsThenSays, says } from './openai-server.ts';
import type { Person } from './world.ts';

let world: AssistantWorld;
let ada: Person;

beforeAll(async () => {
  world = await createAssistantWorld();
  ada = await world.as('Ada');
});

afterAll(() => world.close());

describe('a chat', () => {
  test('streams lines of JSON, ends with [DONE], and is kept with its counts', async () => {
    world.model.follow(says('You have ', 'no "projects"\n', 'yet. 🎉'));
    const sessionId = await converse(ada);
    const answer = await chat(world, ada, sessionId, {
      message: '  What do I have? ',
      resourceScope: 'general',
      resourceId: null,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
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
    const [request] = world.model.requests;
    expect(request?.authorization).toBe(`Bearer ${KEY}`);
    expect(request?.body).toMatchObject({ model: 'test-model', stream: true });
  });
});
