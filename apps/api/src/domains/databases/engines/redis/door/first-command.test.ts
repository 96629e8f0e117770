import { expect, test } from 'vitest';
import { encodeCommand } from '../resp.ts';
import { readCommand, userOf } from './first-command.ts';

const sent = (...words: string[]) => Buffer.from(encodeCommand(words));

test.each([
  [['AUTH', 'db_1', 'secret'], 'db_1'],
  [['auth', 'db_1', 'secret'], 'db_1'],
  [['HELLO', '3', 'AUTH', 'db_1', 'secret', 'SETNAME', 'AUTH'], 'db_1'],
  [['HELLO', '3', 'SETNAME', 'me', 'AUTH', 'db_1', 'secret'], 'db_1'],
  [['AUTH', 'secret'], undefined],
  [['HELLO', '3'], undefined],
  [['GET', 'AUTH', 'db_1'], undefined],
])('%j comes from %s', (words, user) => {
  const read = readCommand(Buffer.concat([sent(...words), sent('PING')]));
  expect(read).toMatchObject({ words, length: sent(...words).length });
  expect(read && userOf(read)).toBe(user);
});

test('a command that a person typed is read as well', () => {
  const read = readCommand(Buffer.from('auth db_1  secret\r\nPING\r\n'));
  expect(read).toEqual({ name: 'AUTH', words: ['auth', 'db_1', 'secret'], length: 19 });
});

test('a command is read however it is cut, and not before all of it is there', () => {
  const whole = sent('AUTH', 'db_1', 'geheimnis');
  for (let end = 0; end < whole.length; end += 1) expect(readCommand(whole.subarray(0, end))).toBeUndefined();
  expect(readCommand(whole)).toBeDefined();
});

test.each([
  '*11\r\n',
  '*-1\r\n',
  '*9999999999999999',
  '*1\r\n$257\r\n',
  '*1\r\n:1\r\n',
  'x'.repeat(5000),
  `${'x'.repeat(5000)}\n`,
])('%.20j is refused at once', (bytes) => expect(() => readCommand(Buffer.from(bytes))).toThrow());
