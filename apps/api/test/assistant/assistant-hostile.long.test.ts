import { MAX_TOOL_CALLS } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import { deep, one, REFUSED } from './assistant-hostile-calls.ts';
import {
  CANARY,
  createHostileWorld,
  dump,
  type HostileWorld,
  type Ids,
  INJECTION,
  letItCall,
} from './assistant-hostile-world.ts';
import type { AssistantWorld } from './assistant-world.ts';

let hostile: HostileWorld;
let world: AssistantWorld;
let ada: Person;
let mine: Ids;

beforeAll(async () => {
  hostile = await createHostileWorld();
  ({ world, ada, mine } = hostile);
});

afterAll(() => world.close());

describe('a hostile model', () => {
  test.each(REFUSED)('asks for %s, and gets nothing', async (_, rounds) => {
    const { said, streamed } = await letItCall(hostile, rounds(hostile));
    expect(said).toHaveLength(rounds(hostile).flat().length);
    for (const content of said) {
      expect(Object.keys(JSON.parse(content)), content).toEqual(['error']);
      expect(content).not.toMatch(/select |\/apps\/|at .*\.ts/i);
    }
    expect(streamed).toContain('Done.');
  });

  test.each([
    ['of a megabyte', () => one('dns_list', { domain: 'x'.repeat(1_000_000) })],
    ['nested 50,000 deep', () => one('projects_get', deep(50_000))],
  ])('with arguments %s ends its own answer', async (_, rounds) => {
    const { said, streamed } = await letItCall(hostile, rounds());
    expect(said).toEqual([]);
    expect(streamed).toContain('"error"');
  });

  test('with somebody else’s id as a cursor or domain sees its own person’s rows only', async () => {
    const { said } = await letItCall(hostile, [
      ['projects', 'databases', 'containers', 'storage', 'dns', 'mobileApps'].map((domain) => ({
        name: `${domain}_list`,
        args: { cursor: 'ffffffff-ffff-7fff-bfff-ffffffffffff', limit: 1000 },
      })),
      [{ name: 'dns_list', args: { domain: `${CANARY}.com` } }],
    ]);
    expect(said).toHaveLength(7);
    for (const content of said) expect(JSON.parse(content)).toBeInstanceOf(Array);
    expect(said[0]).toContain(mine.project);
  });

  test('reads instructions in names and logs, follows them, and changes nothing', async () => {
    const { said } = await letItCall(hostile, [
      [
        { name: 'projects_list', args: {} },
        { name: 'deployments_logTail', args: { id: mine.deployment } },
      ],
      [{ name: 'projects_remove', args: { id: mine.project } }],
    ]);
    expect(said[0]).toContain(INJECTION);
    expect(said[1]).toContain(INJECTION);
    expect(JSON.parse(said[2] ?? '')).toEqual({ error: 'There is no such tool.' });
  });

  test('that calls twenty tools at once gets eight answers', async () => {
    const { said } = await letItCall(hostile, [
      Array.from({ length: 20 }, () => ({ name: 'projects_list', args: {} })),
    ]);
    const answered = said.filter((content) => Array.isArray(JSON.parse(content)));
    expect(answered).toHaveLength(MAX_TOOL_CALLS);
  });

  test('that never stops calling is stopped', async () => {
    const { said, streamed } = await letItCall(
      hostile,
      Array.from({ length: 50 }, () => [{ name: 'projects_list', args: {} }]),
    );
    expect(said.filter((content) => Array.isArray(JSON.parse(content))).length).toBeLessThanOrEqual(
      MAX_TOOL_CALLS,
    );
    expect(world.model.requests.length).toBeLessThanOrEqual(MAX_TOOL_CALLS + 2);
    expect(streamed).not.toContain('Done.');
  });

  test('would be seen if it changed or learned something', async () => {
    const before = await dump(world);
    await ada.rest(`PATCH /api/projects/${mine.project}`, { body: { description: 'changed' } });
    expect(await dump(world)).not.toEqual(before);
    const [file] = await ada.rpc.storage.list.query();
    expect(JSON.stringify(file)).toContain('ada-own');
  });
});
