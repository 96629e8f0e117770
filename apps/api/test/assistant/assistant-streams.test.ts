import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Person, World } from '../world.ts';
import { createReplicas, DONE, read } from './assistant-replicas.ts';
import { type AssistantWorld, chat, converse, eventually, keptOf } from './assistant-world.ts';
import { dictate, type OpenAiServer, says } from './openai-server.ts';

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
    expect(await keptOf(ada, sessionId)).toEqual([
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
    expect(await keptOf(ada, sessionId)).toEqual([
      ['user', 'Hi', false],
      ['assistant', 'Half an ans', true],
    ]);
    expect(answer.gone.aborted || (await once(answer.gone, 'abort'))).toBeTruthy();
    model.follow(says('Fine.'));
    const { replyId } = await send(ada, 'Again');
    await read(ada, { sessionId, replyId }).ended;
    expect((await keptOf(ada, sessionId)).at(-1)).toEqual(['assistant', 'Fine.', false]);
  });

  test('end with their conversation', async () => {
    const asked = dictate(model);
    await send(ada);
    const reader = read(ada, { sessionId });
    const answer = await asked;
    await answer.text('Half');
    await eventually(reader.text).toBe('Half');
    await ada.rpc.assistant.removeSession.mutate({ id: sessionId });
    expect(answer.gone.aborted || (await once(answer.gone, 'abort'))).toBeTruthy();
    await reader.ended;
  });
});
