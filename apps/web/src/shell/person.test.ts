import { expect, test } from 'vitest';
import { displayName, initials } from './person.ts';

const ADA = { firstName: 'Ada', lastName: 'Lovelace', email: 'countess@example.com' };

test.each([
  ['two initials from both names', ADA, 'AL'],
  ['in capitals', { ...ADA, firstName: 'ada', lastName: 'lovelace' }, 'AL'],
  ['else two letters of the email', { ...ADA, lastName: null }, 'CO'],
  ['also when a name is empty', { ...ADA, firstName: '' }, 'CO'],
  ["else 'UT'", { firstName: null, lastName: null, email: '' }, 'UT'],
  ['whole characters', { ...ADA, firstName: '𝒜da', lastName: 'Öman' }, '𝒜Ö'],
])('avatar: %s', (_, person, expected) => {
  expect(initials(person)).toBe(expected);
});

test.each([
  ['both names', ADA, 'Ada Lovelace'],
  ['else the email', { ...ADA, firstName: null }, 'countess@example.com'],
  ["else 'User'", { firstName: null, lastName: null, email: '' }, 'User'],
])('name: %s', (_, person, expected) => {
  expect(displayName(person)).toBe(expected);
});
