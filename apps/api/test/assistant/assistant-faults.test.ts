import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import {
  type AssistantWorld,
  type Chat,
  chat,
  converse,
  createAssistantWorld,
  eventually,
  KEY,
} from './assistant-world.ts';
import { type OpenAiServer, type Script, says } from './openai-server.ts';

/** Milliseconds of a turn here, in the place of 60 seconds, and how much longer its end may take. */
const TURN = 2500;
const GRACE = 5000;

let world: AssistantWorld;
let model: OpenAiServer;
let ada: Person;
const logged: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  world = await createAssistantWorld(says('Hello.'), { overrides: { assistantTimes: { turn: TURN } }, log });
  model = world.model;
  ada = await world.as('Ada');
});

afterAll(() => world.close());

/** The last message of a conversation as it is kept. */
async function lastOf(person: Person, sessionId: string) {
  return (await person.rpc.assistant.messages.query({ sessionId })).at(-1);
}

describe('a model server that fails', () => {
  const line = 'data: {"choices":[{"delta":{"content":"Half"}}]}\n\n';
  const FAULTS: [name: string, script: Script, error: RegExp, text: string][] = [
    ['sends nothing', (answer) => answer.wait(60_000), /longer than 60 seconds/, ''],
    [
      'falls silent',
      async (answer) => {
        await answer.text('Half');
        await answer.wait(60_000);
      },
      /longer than 60 seconds/,
      'Half',
    ],
    [
      'answers 500',
      (answer) => answer.refuse(500, { error: { message: 'secret-detail' } }),
      /couldn’t answer/,
      '',
    ],
    ['has no such model', (answer) => answer.refuse(404, {}), /OPENAI_MODEL/, ''],
    ['is busy', (answer) => answer.refuse(429, {}), /overloaded/, ''],
    [
      'refuses the key',
      (answer) => answer.refuse(401, { error: { message: `Incorrect API key provided: ${KEY}` } }),
      /^The model server rejected the API key\. Ask your admin to check OPENAI_API_KEY\.$/,
      '',
    ],
    [
      'sends half a JSON',
      async (answer) => {
        await answer.raw(`${line}data: {"choices":[{"del\n\n`);
        await answer.finish();
      },
      /stopped in the middle/,
      'Half',
    ],
    ['sends null', (answer) => answer.raw('data: null\n\n'), /invalid answer/, ''],
    [
      'sends a page',
      async (answer) => {
        await answer.raw('<html>Welcome</html>\n\n');
        await answer.finish();
      },
      /didn’t answer/,
      '',
    ],
    [
      'hangs up midway',
      async (answer) => {
        await answer.raw(line);
        await answer.wait(50);
        answer.hangUp();
      },
      /stopped in the middle/,
      'Half',
    ],
    [
      'ends without an end',
      async (answer) => {
        await answer.raw(`${line}data: [DONE]\n\n`);
      },
      /stopped in the middle/,
      'Half',
    ],
    [
      'reports an error midway',
      (answer) => answer.raw(`${line}data: {"error":{"message":"secret-detail"}}\n\n`),
      /couldn’t answer/,
      'Half',
    ],
    [
      'sends 100 MB in one line',
      async (answer) => {
        const megabyte = 'x'.repeat(1024 * 1024);
        await answer.raw('data: "');
        for (let sent = 0; sent < 100 && !answer.gone.aborted; sent += 1) await answer.raw(megabyte);
      },
      /answer was too long/,
      '',
    ],
    [
      'talks 100 MB',
      async (answer) => {
        const words = 'word '.repeat(2000);
        for (let sent = 0; sent < 10_000 && !answer.gone.aborted; sent += 1) await answer.text(words);
      },
      /too long/,
      'word '.repeat(13_108).slice(0, 64 * 1024),
    ],
    [
      'asks for a thousand tools',
      async (answer) => {
        await answer.toolCalls(...Array.from({ length: 1000 }, () => ({ name: 'projects_list', args: {} })));
        await answer.finish();
      },
      /invalid answer/,
      '',
    ],
  ];

  test.each(FAULTS)(
    'that %s: an error, [DONE], and the next question is answered',
    async (_name, script, error, text) => {
      const sessionId = await converse(ada);
      let sent = 0;
      model.follow(async (answer, request) => {
        const raw = (bytes: string | Buffer) => {
          sent += bytes.length;
          return answer.raw(bytes);
        };
        await script({ ...answer, raw }, request);
      });
      const began = performance.now();
      const stream: Chat = await chat(world, ada, sessionId, { message: 'Hi' });
      const lines = await stream.rest();
      expect(performance.now() - began).toBeLessThan(TURN + GRACE);
      expect(lines.at(-1)).toBe('[DONE]');
      expect(lines.at(-2)).toMatchObject({ content: '', error: expect.stringMatching(error) });
      expect(
        lines
          .slice(0, -2)
          .map((one) => (one as { content: string }).content)
          .join(''),
      ).toBe(text);
      const last = await lastOf(ada, sessionId);
      if (text === '') expect(last?.sender).toBe('user');
      else expect(last).toMatchObject({ content: text, metadata: { truncated: true } });
      // Where it was told more than an answer can be, it has hung up long before the end.
      expect(sent).toBeLessThan(48 * 1024 * 1024);
      await eventually(() => model.open).toBe(0);

      model.follow(says('Fine.'));
      const next = await chat(world, ada, sessionId, { message: 'Again' });
      expect(await next.rest()).toEqual([{ content: 'Fine.' }, '[DONE]']);
    },
  );

  test('that is not there', async () => {
    const other = await createAssistantWorld();
    await other.model.close();
    const person = await other.as('Cyd');
    const stream = await chat(other, person, await converse(person), { message: 'Hi' });
    expect(await stream.rest()).toEqual([
      { content: '', error: expect.stringContaining('OPENAI_BASE_URL') },
      '[DONE]',
    ]);
    await other.close();
  });

  test('leaves no key, and nothing that it said, in the log', () => {
    expect(logged.join('')).toContain('the model server failed');
    expect(logged.join('')).not.toContain(KEY);
    expect(logged.join('')).not.toContain('secret-detail');
  });
});
