import type { Project } from '@nephos/contracts';
import { describe, expect, test } from 'vitest';
import { createLocalResponder } from '../../src/domains/assistant/local/local-responder.ts';
import type { Turn } from '../../src/domains/assistant/responder/responder.ts';
import { type Files, startGitServer } from '../git-server.ts';
import { createWorld } from '../world.ts';
import { chat, converse, wordsOf } from './assistant-world.ts';

describe('a local answer', () => {
  test('comes in pieces, and ends where nobody listens any more', async () => {
    const gone = new AbortController();
    const pieces: string[] = [];
    const turn: Turn = {
      question: 'help',
      scope: 'general',
      resourceId: null,
      history: [],
      tools: { list: () => [], call: async () => '{}' },
      signal: gone.signal,
    };
    for await (const event of createLocalResponder().answer(turn)) {
      if (event.type === 'text') pieces.push(event.text);
      if (pieces.length === 3) gone.abort();
    }
    expect(pieces).toHaveLength(3);
    expect(pieces.join('')).toMatch(/^My answers are rule-based, without a model/);
  });
});

describe('with the real engine', () => {
  test('two repositories that fail are told apart by their true causes', async () => {
    const git = await startGitServer();
    const world = await createWorld({ running: true, overrides: { answerPace: 0 } });
    try {
      const ada = await world.as('Ada');
      const session = await converse(ada);
      const failing = async (name: string, files: Files) => {
        await git.createRepository(name, files);
        const body = { name, repositoryUrl: git.url(name) };
        const { id } = (await ada.rest('POST /api/projects', { body })).body as Project;
        await expect
          .poll(async () => (await ada.rpc.projects.get.query({ id })).latestDeployment?.status, {
            timeout: 60_000,
          })
          .toBe('failed');
        const lines = await (await chat(world, ada, session, { message: `why did ${name} fail?` })).rest();
        return wordsOf(lines);
      };
      const unstartable = await failing('unstartable', { 'package.json': '{"name":"x"}' });
      expect(unstartable).toContain('failed at the **detect** step');
      expect(unstartable).toContain('no start script');
      const crashing = await failing('crashing', {
        'package.json': '{"name":"x","scripts":{"start":"node server.js"}}',
        'server.js': "require('left-out');",
      });
      expect(crashing).toContain('failed at the **start** step');
      expect(crashing).toContain('The module `left-out` was not found.');
      expect(crashing).toContain("Error: Cannot find module 'left-out'");
    } finally {
      await world.close();
      await git.close();
    }
  });
});
