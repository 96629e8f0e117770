import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { createDueLoop, type DueLoop, type DueWork } from './due-work.ts';

let loop: DueLoop;

afterEach(() => loop.stop());

function startLoop(work: Pick<DueWork<string>, 'take' | 'carryOut'> & Partial<DueWork<string>>): void {
  loop = createDueLoop<string>({
    ...{ notifications: { subscribe: () => () => {} }, log: pino({ level: 'silent' }) },
    ...{ channel: 'due', atOnce: 2, settle: 1, failed: () => {} },
    ...work,
  });
  loop.start();
}

test('what is due again is done after its pause, though nothing was due just before', async () => {
  const due = ['a'];
  const done: string[] = [];
  startLoop({
    take: async () => due.splice(0),
    async carryOut(piece) {
      done.push(piece);
      if (done.length > 1) return undefined;
      setTimeout(() => due.push(piece), 200);
      return 0.3;
    },
  });
  await expect.poll(() => done, { timeout: 5000 }).toEqual(['a', 'a']);
});

test('no more than so many pieces are under way, and one that fails holds up no other', async () => {
  const due = ['a', 'b', 'c', 'd', 'e'];
  const failed: string[] = [];
  let [now, most] = [0, 0];
  startLoop({
    take: async (number) => due.splice(0, number),
    async carryOut() {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 20));
      now -= 1;
      throw new Error('failed');
    },
    failed: (_, piece) => failed.push(piece),
  });
  await expect.poll(() => failed.toSorted().join(''), { timeout: 5000 }).toBe('abcde');
  expect(most).toBe(2);
});
