import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { LOG_OPTIONS } from '../../src/platform/log.ts';
import { createWorld, PASSWORD } from '../world.ts';

test('even the most talkative log is structured and holds no secret', async () => {
  let written = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const log = pino({ ...LOG_OPTIONS, level: 'trace' }, sink);
  const openai = { apiKey: 'sk-a-model-key', baseUrl: 'http://127.0.0.1:9/v1', model: 'large-1' };
  const world = await createWorld({ log, running: true, settings: { logLevel: 'debug', openai } });
  const ada = await world.as('Ada');
  const project = await ada.rpc.projects.create.mutate({ name: 'Quiet' });
  await ada.rest(`PUT /api/projects/${project.id}/variables/API_KEY`, { body: { value: 'hush-hush-value' } });
  await world.anyone.rest('POST /api/login', {
    body: { email: 'ada@example.com', password: 'a wrong secret' },
  });
  await ada.rest('GET /api/projects', { headers: { authorization: 'Bearer a-bearer-token' } });
  await world.close();

  const lines = written
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ req }) => req).length).toBeGreaterThan(4);
  expect(lines.find(({ engines }) => engines)).toMatchObject({
    msg: 'engines',
    engines: {
      'own-database': 'External PostgreSQL',
      'deployment-runtime': expect.stringMatching(/rocesses on this machine$/),
      payments: 'Sandbox',
      model: expect.stringContaining('large-1'),
    },
  });
  const cookie = ada.cookie.split('=')[1] ?? '';
  for (const secret of [
    PASSWORD,
    'hush-hush-value',
    'a wrong secret',
    'a-bearer-token',
    openai.apiKey,
    cookie,
  ]) {
    expect(written).not.toContain(secret);
  }
  expect(written).not.toContain(world.databaseUrl);
});
