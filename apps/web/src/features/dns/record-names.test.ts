import { describe, expect, it } from 'vitest';
import { addressOf, digCommand } from './record-names.ts';

const LOCAL = { host: '127.0.0.1', port: 5353 };

describe('the dig command', () => {
  it.each([
    ['@', 'dig @127.0.0.1 -p 5353 example.test MX'],
    ['www', 'dig @127.0.0.1 -p 5353 www.example.test MX'],
    ['*.dev', "dig @127.0.0.1 -p 5353 '*.dev.example.test' MX"],
  ])('asks for %s', (name, command) => {
    expect(digCommand(LOCAL, { domain: 'example.test', name, recordType: 'MX' })).toBe(command);
  });
});

it('writes an address with its port', () => {
  expect(addressOf(LOCAL)).toBe('127.0.0.1:5353');
  expect(addressOf({ host: '::1', port: 53 })).toBe('[::1]:53');
});
