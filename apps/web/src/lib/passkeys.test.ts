import { expect, test } from 'vitest';
import { passkeyFailure } from './passkeys.ts';
import { cancelled, unanswered } from './rest-errors.ts';

test('nothing is said to who closed a dialog on the way', () => {
  expect(passkeyFailure(new DOMException('Closed', 'NotAllowedError'))).toBeUndefined();
  expect(passkeyFailure(new DOMException('Not confirmed', 'AbortError'))).toBeUndefined();
  expect(passkeyFailure(cancelled())).toBeUndefined();
  expect(passkeyFailure(unanswered())).toBe("Can't reach the server.");
});
