import { connect } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { chatPath } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import { type AssistantWorld, chat, converse, createAssistantWorld, eventually } from './assistant-world.ts';
import { type OpenAiServer, says } from './openai-server.ts';

const CUTS = 50;
const PEOPLE = 10;

let world: AssistantWorld;
let model: OpenAiServer;
let people: Person[];
let ada: Person;

beforeAll(async () => {
  world = await createAssistantWorld(says('Hello.'));
  model = world.model;
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, index) => world.as(`Person${index}`)));
  [ada] = people as [Person];
});

afterAll(() => world.close());

/** The last message of a conversation as it is kept. */
async function lastOf(person: Person, sessionId: string) {
  return (await person.rpc.assistant.messages.query({ sessionId })).at(-1);
}

function writing(): Promise<unknown[]> {
  return world.deps.db.selectFrom('assistantReplies').select('id').where('status', '=', 'writing').execute();
}

function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    world.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

describe('clients that go', () => {
  test(`${CUTS} streams cut after 1 to 8 pieces end at the model within a second, and nothing of them is left`, async () => {
    const leftAt = new Map<string, number>();
    model.follow(async (completion, { body }) => {
      const question = body.messages.at(-1)?.content ?? '';
      completion.gone.addEventListener('abort', () => leftAt.set(question, performance.now()));
      for (let word = 0; word < 400 && !completion.gone.aborted; word += 1) {
        await completion.text(`${word} `);
        await completion.wait(5);
      }
    });
    const before = await connections();
    const stood = monitorEventLoopDelay();
    stood.enable();
    const delays: number[] = [];
    const queue = Array.from({ length: CUTS }, (_, index) => `Question ${index}`);
    const cut = async (person: Person) => {
      const sessionId = await converse(person);
      for (let question = queue.pop(); question; question = queue.pop()) {
        const stream = await chat(world, person, sessionId, { message: question });
        expect(stream.status).toBe(200);
        const pieces = 1 + ((Number(question.split(' ')[1]) * 7) % 8);
        for (let piece = 0; piece < pieces; piece += 1) await stream.next();
        const leftClient = performance.now();
        stream.leave();
        await eventually(() => leftAt.has(question)).toBe(true);
        delays.push((leftAt.get(question) ?? Number.NaN) - leftClient);
        expect((await settledMessage(person, sessionId))?.metadata).toMatchObject({ truncated: true });
      }
    };
    await Promise.all([...people, ...people].map(cut));
    stood.disable();
    expect(delays).toHaveLength(CUTS);
    // While this process stood still, in which client, server and model all run, nothing could end.
    expect(Math.max(...delays)).toBeLessThan(1000 + stood.max / 1e6);
    expect(model.open).toBe(0);
    await eventually(writing).toEqual([]);
    // Those of calls that were answered are kept for the next.
    await eventually(connections).toBeLessThanOrEqual(before + 2 * PEOPLE);
  });

  /** The answer that a cut stream leaves; the conversation is free then. */
  async function settledMessage(person: Person, sessionId: string) {
    await eventually(async () => (await lastOf(person, sessionId))?.sender).toBe('assistant');
    return lastOf(person, sessionId);
  }

  test('a conversation whose stream was cut takes the next question at once', async () => {
    const sessionId = await converse(ada);
    for (let round = 0; round < 5; round += 1) {
      model.follow(async (completion) => {
        await completion.text('Word ');
        await completion.wait(60_000);
      });
      const stream = await chat(world, ada, sessionId, { message: 'Hi' });
      await stream.next();
      stream.leave();
      model.follow(says('Fine.'));
      const next = await chat(world, ada, sessionId, { message: 'Again' });
      expect(next.status).toBe(200);
      expect(await next.rest()).toEqual([{ content: 'Fine.' }, '[DONE]']);
    }
  });

  test('a client that stops reading holds no more than its answer, which ends all the same', async () => {
    const words = '\u0001'.repeat(1024);
    model.follow(says(...Array.from({ length: 60 }, () => words)));
    const sessionId = await converse(ada);
    const { hostname, port } = new URL(world.url);
    const body = JSON.stringify({ message: 'Hi' });
    const socket = connect(Number(port), hostname);
    socket.pause();
    socket.write(
      `POST ${chatPath(sessionId)} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncookie: ${ada.cookie}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await eventually(async () => (await lastOf(ada, sessionId))?.content.length).toBe(60 * words.length);
    expect(await writing()).toEqual([]);
    socket.destroy();
  });
});
