import { describe, expect, it } from 'vitest';
import { maskedAddress, parseAddress } from './address.ts';

describe('parseAddress', () => {
  it.each([
    [
      'postgresql://db_1:p%40ss@localhost:5433/db_1',
      { host: 'localhost', port: '5433', database: 'db_1', user: 'db_1', password: 'p@ss' },
    ],
    [
      'mysql://ada:x@[2001:db8::1]:3306/shop?ssl-mode=REQUIRED',
      { host: '[2001:db8::1]', port: '3306', database: 'shop', user: 'ada', password: 'x' },
    ],
    [
      'mongodb://ada:x@a.example:27017,b.example:27018/shop?replicaSet=rs0',
      { host: 'a.example:27017,b.example:27018', port: '', database: 'shop', user: 'ada', password: 'x' },
    ],
    [
      'mongodb+srv://ada:x@cluster.example',
      { host: 'cluster.example', port: '', database: '', user: 'ada', password: 'x' },
    ],
  ])('takes %s apart', (connectionString, parts) => {
    expect(parseAddress(connectionString)).toEqual({ connectionString, ...parts });
  });

  it('does not repeat what it cannot read, which may hold a password', () => {
    expect(() => parseAddress('s3cret')).toThrow(new TypeError('The connection string has an unknown form.'));
  });
});

describe('maskedAddress', () => {
  it.each([
    ['postgresql://db_1:s@localhost:5433/db_1', 'postgresql://db_1:••••••••@localhost:5433/db_1'],
    ['mongodb+srv://ada:long@c.example/shop?w=1', 'mongodb+srv://ada:••••••••@c.example/shop?w=1'],
    ['mongodb+srv://ada:long@c.example?w=1', 'mongodb+srv://ada:••••••••@c.example?w=1'],
  ])('hides the password of %s, its length too', (connectionString, masked) => {
    expect(maskedAddress(connectionString)).toBe(masked);
  });
});
