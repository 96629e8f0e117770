import type { ManagedDatabase } from '@nephos/contracts';
import type { Address } from './address.ts';

/** Where the code looks for the connection string, so that the password is in no file and no shell history. */
export const URL_VARIABLE = 'DATABASE_URL';

export interface Snippet {
  /** What it needs or does. */
  label: string;
  code: string;
}

export type Client = 'shell' | 'node' | 'python';

type Code = Record<Client, (address: Address) => Snippet[]>;

/** Asks without an echo; bash and zsh. */
const SET_VARIABLE: Snippet = {
  label: 'Paste the connection string, then press Enter',
  code: `read -rs ${URL_VARIABLE} && export ${URL_VARIABLE}`,
};

const WITH_TLS = 'Connect with TLS, if this server has a certificate';

const POSTGRESQL: Code = {
  shell: () => [SET_VARIABLE, { label: 'Connect', code: `psql "$${URL_VARIABLE}"` }],
  node: () => [
    { label: 'Install', code: 'npm install pg' },
    {
      label: 'Connect',
      code: `import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.${URL_VARIABLE} });
const { rows } = await pool.query('select version()');
console.log(rows[0].version);
await pool.end();`,
    },
  ],
  python: () => [
    { label: 'Install', code: `pip install 'psycopg[binary]'` },
    {
      label: 'Connect',
      code: `import os

import psycopg

with psycopg.connect(os.environ["${URL_VARIABLE}"]) as connection:
    print(connection.execute("select version()").fetchone()[0])`,
    },
  ],
};

const MYSQL: Code = {
  // Over TCP even to localhost, where the client would look for a socket; it asks for the password.
  shell: ({ host, port, user, database }) => [
    {
      label: 'Connect (asks for the password)',
      code: `mysql --protocol=tcp --host=${host} --port=${port || 3306} --user=${user} --password ${database}`,
    },
    {
      label: WITH_TLS,
      code: `mariadb --ssl-verify-server-cert --protocol=tcp --host=${host} --port=${port || 3306} --user=${user} --password ${database}`,
    },
  ],
  node: () => [
    { label: 'Install', code: 'npm install mysql2' },
    {
      label: 'Connect',
      code: `import mysql from 'mysql2/promise';

const pool = mysql.createPool(process.env.${URL_VARIABLE});
const [rows] = await pool.query('select version() as version');
console.log(rows[0].version);
await pool.end();`,
    },
  ],
  python: () => [
    { label: 'Install', code: 'pip install PyMySQL' },
    {
      label: 'Connect',
      code: `import os
from urllib.parse import unquote, urlsplit

import pymysql

url = urlsplit(os.environ["${URL_VARIABLE}"])
connection = pymysql.connect(
    host=url.hostname,
    port=url.port or 3306,
    user=unquote(url.username),
    password=unquote(url.password),
    database=unquote(url.path.lstrip("/")),
)
with connection, connection.cursor() as cursor:
    cursor.execute("select version()")
    print(cursor.fetchone()[0])`,
    },
  ],
};

const MONGODB: Code = {
  shell: () => [SET_VARIABLE, { label: 'Connect', code: `mongosh "$${URL_VARIABLE}"` }],
  node: () => [
    { label: 'Install', code: 'npm install mongodb' },
    {
      label: 'Connect',
      code: `import { MongoClient } from 'mongodb';

const client = new MongoClient(process.env.${URL_VARIABLE});
const database = client.db();
console.log(await database.command({ ping: 1 }));
await client.close();`,
    },
  ],
  python: () => [
    { label: 'Install', code: 'pip install pymongo' },
    {
      label: 'Connect',
      code: `import os

from pymongo import MongoClient

with MongoClient(os.environ["${URL_VARIABLE}"]) as client:
    print(client.get_default_database().command("ping"))`,
    },
  ],
};

const REDIS: Code = {
  shell: () => [
    SET_VARIABLE,
    { label: 'Connect', code: `redis-cli -u "$${URL_VARIABLE}"` },
    { label: WITH_TLS, code: `redis-cli -u "\${${URL_VARIABLE}/#redis:/rediss:}"` },
  ],
  node: () => [
    { label: 'Install', code: 'npm install redis' },
    {
      label: 'Connect',
      code: `import { createClient } from 'redis';

const client = await createClient({ url: process.env.${URL_VARIABLE} }).connect();
console.log(await client.ping());
await client.close();`,
    },
  ],
  python: () => [
    { label: 'Install', code: 'pip install redis' },
    {
      label: 'Connect',
      code: `import os

import redis

with redis.from_url(os.environ["${URL_VARIABLE}"]) as client:
    print(client.ping())`,
    },
  ],
};

const CODE: Record<ManagedDatabase['type'], Code> = {
  postgresql: POSTGRESQL,
  mysql: MYSQL,
  mongodb: MONGODB,
  redis: REDIS,
};

/** How a client connects to a database of a type; the password is never part of it. */
export function snippetsFor(
  type: ManagedDatabase['type'],
  { client, address }: { client: Client; address: Address },
): Snippet[] {
  return CODE[type][client](address);
}
