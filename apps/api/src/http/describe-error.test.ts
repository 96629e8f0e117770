import { TRPCError } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forbidden, rateLimited } from '../core/errors.ts';
import { describeError } from './describe-error.ts';

function coded(code: string, message = 'relation "users" of 10.0.0.7 is broken'): Error {
  return Object.assign(new Error(message), { code });
}

describe('what PostgreSQL refuses', () => {
  test.each([
    ['22P02', 400, 'VALIDATION'],
    ['22003', 400, 'VALIDATION'],
    ['22021', 400, 'VALIDATION'],
    ['23505', 409, 'CONFLICT'],
    ['23503', 404, 'NOT_FOUND'],
    ['23514', 422, 'UNPROCESSABLE'],
    ['40001', 503, 'UNAVAILABLE'],
    ['40P01', 503, 'UNAVAILABLE'],
    ['55P03', 503, 'UNAVAILABLE'],
    ['57014', 503, 'UNAVAILABLE'],
    ['57P01', 503, 'UNAVAILABLE'],
    ['08006', 503, 'UNAVAILABLE'],
    ['53300', 503, 'UNAVAILABLE'],
    ['ECONNREFUSED', 503, 'UNAVAILABLE'],
    ['42601', 500, 'INTERNAL'],
  ])('%s is %i %s, without its details', (code, status, reason) => {
    const error = coded(code);
    for (const thrown of [error, new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error })]) {
      const description = describeError(thrown);
      expect(description).toMatchObject({ status, reason });
      expect(description.message).not.toMatch(/users|10\.0/);
      expect(description.retryAfter).toBe(status === 503 ? 2 : undefined);
    }
  });

  test('a pool without a free connection is 503', () => {
    expect(describeError(new Error('timeout exceeded when trying to connect'))).toMatchObject({
      status: 503,
    });
  });
});

test('a fault of ours tells nothing', () => {
  expect(describeError(new Error('secret'))).toEqual({
    status: 500,
    message: 'Something went wrong.',
    reason: 'INTERNAL',
  });
  expect(describeError('secret').status).toBe(500);
});

test('a refusal is told as it is', () => {
  expect(describeError(forbidden('PLAN_LIMIT_REACHED', 'Five.'))).toMatchObject({
    status: 403,
    message: 'Five.',
  });
  expect(describeError(rateLimited(1))).toMatchObject({
    status: 429,
    message: 'Too many requests. Try again in 1 second.',
    retryAfter: 1,
  });
});

test('failed validation names its fields', () => {
  const { error } = z.object({ a: z.object({ b: z.string('Say b.') }) }).safeParse({ a: {} });
  expect(describeError(error)).toMatchObject({
    status: 400,
    message: 'Say b.',
    fields: [{ path: 'a.b', message: 'Say b.' }],
  });
});

test.each([
  [{}, 'id', 'id is required.'],
  [{ id: 7 }, 'id', 'id: Invalid input: expected string, received number.'],
  [{ id: 'x' }, 'id', 'id: Invalid UUID.'],
  [undefined, '', 'The input is required.'],
])('and says of %j which one, where the contract has no sentence for it', (input, path, message) => {
  const { error } = z.object({ id: z.uuid() }).safeParse(input);
  expect(describeError(error)).toMatchObject({ message, fields: [{ path, message }] });
});
