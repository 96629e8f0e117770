import type { AppRouter } from '@nephos/contracts';
import { TRPCClientError } from '@trpc/client';
import { describe, expect, it, vi } from 'vitest';
import { absenceOf, fieldErrorsOf, isUnauthorized, sentenceOf, wireText } from './errors.ts';

function refused(httpStatus: number, message: string, fields?: { path: string; message: string }[]) {
  return TRPCClientError.from<AppRouter>({
    error: {
      message,
      code: -32000,
      data: { code: 'FORBIDDEN', httpStatus, reason: 'SOME_REASON', requestId: 'r', fields },
    },
  });
}

describe('a refused call', () => {
  it('reads as its status and its body', () => {
    expect(wireText(refused(401, 'Unauthorized'))).toBe('401: Unauthorized');
    expect(wireText(refused(403, 'Not yours.'))).toBe('403: Not yours.');
  });

  it('ends the session only as 401 with Unauthorized', () => {
    expect(isUnauthorized(refused(401, 'Unauthorized'))).toBe(true);
    expect(isUnauthorized(refused(401, 'Other'))).toBe(false);
    expect(isUnauthorized(refused(403, 'Unauthorized'))).toBe(false);
  });

  it("gives the server's sentence and its words on fields", () => {
    expect(sentenceOf(refused(403, 'Your plan allows 5 projects.'), 'Failed')).toBe(
      'Your plan allows 5 projects.',
    );
    expect(absenceOf(refused(403, 'Your plan allows 5 projects.'))).toBeUndefined();
    expect(absenceOf(refused(503, 'The storage is full.'))).toBe('The storage is full.');
    expect(fieldErrorsOf(refused(400, 'No.', [{ path: 'name', message: 'Name is required.' }]))).toEqual({
      name: 'Name is required.',
    });
  });
});

describe('a call without an answer', () => {
  const broken = TRPCClientError.from<AppRouter>(new TypeError('Failed to fetch'));

  it('has no status and leaves the words to us', () => {
    expect(wireText(broken)).toBe('Failed to fetch');
    expect(sentenceOf(broken, 'Failed to save')).toBe('Failed to save');
    expect(fieldErrorsOf(broken)).toEqual({});
  });

  it('may have had its effect, unless the browser did not send it', () => {
    expect(absenceOf(broken)).toBe("Can't reach the server, so this may not have gone through.");
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect(absenceOf(broken)).toBe("You're offline, so this may not have been saved.");
    vi.restoreAllMocks();
  });
});

describe('an answer that is not ours, as of a proxy', () => {
  it('still has its status', () => {
    const response = new Response('<h1>Bad Gateway</h1>', { status: 502 });
    const error = TRPCClientError.from<AppRouter>(new SyntaxError('Unexpected token'), {
      meta: { response },
    });
    expect(wireText(error)).toBe('502: Unexpected token');
    expect(sentenceOf(error, 'Failed to save')).toBe('Failed to save');
  });
});
