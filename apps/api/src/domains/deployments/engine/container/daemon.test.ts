import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { isAway } from './daemon.ts';

it('takes a socket that is not there for an absent daemon, and no other fault', async () => {
  const socket = connect('/nowhere/docker.sock');
  const [refused] = await once(socket, 'error').catch((error) => [error]);
  expect(isAway(refused)).toBe(true);
  const unwritten = await writeFile('/nowhere/file', '').catch((error) => error);
  expect(unwritten.code).toBe('ENOENT');
  expect(isAway(unwritten)).toBe(false);
  expect(isAway(Object.assign(new Error('conflict'), { statusCode: 409, code: 'ECONNRESET' }))).toBe(false);
});
