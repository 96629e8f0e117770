import { DATABASE_TYPES } from '@nephos/contracts/constants';
import { describe, expect, it } from 'vitest';
import { parseAddress } from './address.ts';
import { snippetsFor } from './snippets.ts';

const address = parseAddress('mysql://shop_user:s3cret@localhost:3307/shop');

function code(type: (typeof DATABASE_TYPES)[number], client: 'shell' | 'node' | 'python') {
  return snippetsFor(type, { client, address })
    .map((snippet) => snippet.code)
    .join('\n');
}

describe.each(DATABASE_TYPES)('the snippets of %s', (type) => {
  it.each(['shell', 'node', 'python'] as const)('for %s leave the password out', (client) => {
    expect(code(type, client)).not.toContain('s3cret');
  });

  it('read the connection string from the environment', () => {
    expect(code(type, 'node')).toContain('process.env.DATABASE_URL');
    expect(code(type, 'python')).toContain('os.environ["DATABASE_URL"]');
  });
});

it.each([
  ['postgresql', 'psql "$DATABASE_URL"', "import pg from 'pg'", 'import psycopg'],
  [
    'mysql',
    'mysql --protocol=tcp --host=localhost --port=3307 --user=shop_user --password shop',
    "from 'mysql2/promise'",
    'import pymysql',
  ],
  ['redis', 'redis-cli -u "$DATABASE_URL"', "from 'redis'", 'import redis'],
  ['mongodb', 'mongosh "$DATABASE_URL"', "from 'mongodb'", 'from pymongo'],
] as const)('%s is reached by its own clients', (type, shell, node, python) => {
  expect(code(type, 'shell')).toContain(shell);
  expect(code(type, 'node')).toContain(node);
  expect(code(type, 'python')).toContain(python);
});
