import { once } from 'node:events';
import { request } from 'node:http';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { leaveBodies, readBody } from './raw-body.ts';

const MB = 1024 * 1024;
const PIECES = 40;

test('the memory of a body is free again while the body is read', async () => {
  const app = Fastify({ bodyLimit: PIECES * MB });
  leaveBodies(app);
  let most = 0;
  const before = process.memoryUsage().arrayBuffers;
  app.post('/', async (received) => {
    let size = 0;
    for await (const piece of readBody(received, PIECES * MB, () => new Error('too large'))) {
      size += piece.length;
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    return String(size);
  });
  const sent = request(await app.listen({ port: 0, host: '127.0.0.1' }), { method: 'POST' });
  const piece = Buffer.alloc(MB);
  for (let count = 0; count < PIECES; count += 1) {
    if (!sent.write(piece)) await once(sent, 'drain');
  }
  sent.end();
  const [answer] = await once(sent, 'response');

  expect(await answer.setEncoding('utf8').toArray()).toEqual([String(PIECES * MB)]);
  expect(most).toBeLessThan(12 * MB);
  await app.close();
});
