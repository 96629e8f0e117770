import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPassword } from '../../src/domains/databases/credentials.ts';
import { writtenIn } from '../../src/domains/databases/engines/postgres/proof/check-contents.ts';
import { altered } from './database-engine-contract.ts';
import { ask } from './database-fixtures.ts';
import { type ManagedPostgres, startManagedPostgres } from './managed-postgres.ts';
import { connectPostgres } from './postgres-session.ts';

/** SQLSTATE insufficient_privilege. */
const LACKS_RIGHTS = '42501';

/** Of a database, a role, and a value that no role has. */
const NOT_THERE = ['3D000', '42704', '22023'];

type Made = Awaited<ReturnType<ManagedPostgres['make']>>;

let server: ManagedPostgres;
let mine: Made;
let theirs: Made;
let client: pg.Client;

beforeAll(async () => {
  server = await startManagedPostgres();
  mine = await server.make();
  theirs = await server.make();
});
beforeEach(async () => {
  client = await connectPostgres(mine.address);
});
afterEach(() => client.end());
afterAll(() => server.close());

/** With `$other` for the name of somebody else's database and role, `$me` for one's own. */
function withNames(statement: string): string {
  return statement.replaceAll('$other', theirs.name).replaceAll('$me', mine.name);
}

describe('a role', () => {
  test('has no attribute but that it can log in', async () => {
    const { rows } = await client.query('select * from pg_roles where rolname = current_user');
    expect(rows).toMatchObject([
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
        rolcanlogin: true,
        rolconnlimit: 20,
        rolconfig: ['statement_timeout=60s'],
      },
    ]);
    const memberships = await client.query(
      'select from pg_auth_members where member = current_user::regrole',
    );
    expect(memberships.rowCount).toBe(0);
  });

  test.each([
    'create schema shop; create table shop.orders (id int)',
    'create table notes (n int)',
    'create temporary table t (n int)',
    'create extension pg_trgm',
    'create extension citext',
    'create extension pgcrypto',
    'create view v as select 1',
    'select lo_create(0)',
    "set statement_timeout = '5min'",
    'create publication p for table notes',
  ])('may: %s', async (statement) => {
    await client.query(statement);
  });

  const forbidden = [
    "copy (select 1) to program 'id'",
    "create temp table t (x text); copy t from program 'id'",
    "create temp table t (x text); copy t from '/etc/passwd'",
    "copy (select 1) to '/tmp/out'",
    "select pg_read_file('/etc/passwd')",
    "select pg_read_binary_file('PG_VERSION')",
    "select pg_ls_dir('.')",
    "select pg_stat_file('PG_VERSION')",
    'select pg_ls_logdir()',
    "select lo_import('/etc/passwd')",
    "select lo_export(0, '/tmp/out')",
    'create role more',
    'create database more',
    'drop database postgres',
    'drop role $other',
    'alter database postgres connection limit 0',
    'alter role $me superuser',
    'alter role $me createdb',
    'alter role $me createrole',
    'alter role $me replication',
    'alter role $me bypassrls',
    'alter role $me connection limit 1000',
    "alter role postgres password 'x'",
    'grant pg_read_server_files to $me',
    'grant pg_execute_server_program to $me',
    'set role postgres',
    'set session authorization postgres',
    "alter system set log_statement = 'all'",
    'select pg_reload_conf()',
    'checkpoint',
    'select pg_switch_wal()',
    "set log_statement = 'none'",
    "set session_preload_libraries = 'x'",
    "set temp_file_limit = '-1'",
    "load '/tmp/x.so'",
    "create function f() returns int language c as '/tmp/x', 'f'",
    "create function f() returns int language internal as 'int4pl'",
    "create tablespace t location '/tmp'",
    'create event trigger e on ddl_command_start execute function f()',
    "create subscription s connection 'host=127.0.0.1' publication p",
    'create publication everything for all tables',
    "select pg_create_physical_replication_slot('s')",
    'select * from pg_authid',
    'select * from pg_shadow',
    'select * from pg_hba_file_rules',
    'select * from pg_file_settings',
    'select * from pg_statistic',
    'create extension dblink',
    'create extension postgres_fdw',
    'create extension file_fdw',
    'create extension plpython3u',
    'create extension plperlu',
    'create extension pg_stat_statements',
  ];

  test.each(forbidden)('may not: %s', async (statement) => {
    await expect(client.query(withNames(statement))).rejects.toMatchObject({ code: LACKS_RIGHTS });
  });

  test.each([
    'drop database $other with (force)',
    'alter database $other rename to gone',
    "alter role $other password 'x'",
    'grant $other to $me',
    'set role $other',
  ])('has nobody beside it for: %s', async (statement) => {
    const { code } = await client.query(withNames(statement)).catch((error) => error);
    expect(NOT_THERE).toContain(code);
  });

  test.each(['postgres', 'template1', 'template0', '$other'])('is not let into %s', async (database) => {
    const address = altered(mine.address, { database: withNames(database) });
    await expect(ask(address, 'select 1')).rejects.toMatchObject({
      code: expect.stringMatching(/^28(000|P01)$/),
    });
  });

  test('is not let in where an owner invites everyone, either', async () => {
    await ask(theirs.address, `grant all on database ${theirs.name} to public`);
    const crossing = altered(mine.address, { database: theirs.name });
    await expect(ask(crossing, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  test('sees nobody else, nor what others run', async () => {
    const other = await connectPostgres(theirs.address);
    await other.query("select 'a secret of theirs'");
    const sessions = await client.query<{ usename: string }>(
      "select distinct usename from pg_stat_activity where backend_type = 'client backend' and datname <> 'postgres'",
    );
    expect(sessions.rows).toEqual([{ usename: mine.name }]);
    const names = await client.query<{ name: string }>(
      `select datname as name from pg_database where datname not in ('postgres', 'template0', 'template1')`,
    );
    expect(names.rows).toEqual([{ name: mine.name }]);
    await other.end();
  });

  test('cannot have more than its connections, whatever the owner of the database allows', async () => {
    await client.query(withNames('alter database $me connection limit -1'));
    const others: pg.Client[] = [];
    for (let n = 1; n < 20; n += 1) others.push(await connectPostgres(mine.address));
    await expect(connectPostgres(mine.address)).rejects.toMatchObject({ code: '53300' });
    expect(await server.engine.usage(mine.name)).toMatchObject({ connections: 20, connectionLimit: 20 });
    await Promise.all(others.map((other) => other.end()));
  });

  test('has a limit on what a statement takes', async () => {
    const { rows } = await client.query('show statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '1min' }]);
  });
});

describe('the administrator', () => {
  test('calls no function that an owner has laid in the way, whatever the path of the database', async () => {
    // Where it ran as the administrator, it would make its owner one.
    await client.query(
      withNames(`create function public.pg_current_snapshot() returns pg_snapshot language plpgsql as $$ begin
          if current_user = 'postgres' then alter role $me superuser; end if;
          return pg_catalog.pg_current_snapshot();
        end $$;
        alter database $me set search_path = public, pg_catalog`),
    );
    await server.engine.past?.inDatabase(mine.name, writtenIn);
    const { rows } = await client.query('select rolsuper from pg_roles where rolname = current_user');
    expect(rows).toEqual([{ rolsuper: false }]);
    await client.query(
      withNames('alter database $me reset search_path; drop function public.pg_current_snapshot()'),
    );
  });

  test('waits for nothing without end, and writes where nobody else may', async () => {
    const told = await server.engine.observer?.during(mine.name, async (administrator) => {
      const settings = ['lock_timeout', 'statement_timeout', 'default_transaction_read_only'];
      const { rows } = await administrator.query(
        'select name, setting from pg_settings where name = any($1) order by name',
        [settings],
      );
      return rows;
    });
    expect(told).toEqual([
      { name: 'default_transaction_read_only', setting: 'off' },
      { name: 'lock_timeout', setting: '10000' },
      { name: 'statement_timeout', setting: '30000' },
    ]);
  });
});

describe('nobody is trusted', () => {
  test.each(['127.0.0.1', 'localhost'])('at %s', async (host) => {
    const wrong = new URL(altered(mine.address, { password: newPassword() }));
    wrong.hostname = host;
    await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    for (const name of ['postgres', 'nobody']) {
      const address = new URL(altered(wrong.href, { name, database: 'postgres' }));
      await expect(ask(address.href, 'select 1')).rejects.toMatchObject({
        code: expect.stringMatching(/^28/),
      });
    }
  });

  test('and every password is kept as a SCRAM verifier', async () => {
    const { rows } = await client.query<{ setting: string }>(
      "select setting from pg_settings where name = 'password_encryption'",
    );
    expect(rows).toEqual([{ setting: 'scram-sha-256' }]);
    expect(await authenticationAsked(mine)).toContain('SCRAM-SHA-256');
  });

  test('not even who was half-way in when the password changed', async () => {
    const credentials = await server.make();
    const socket = await beginAuthentication(credentials);
    const closed = once(socket, 'close');
    await server.engine.setPassword({ ...credentials, password: newPassword() });
    await closed;
  });
});

/** A connection that has been asked for its proof, and gives none. */
async function beginAuthentication({ address, name }: Made) {
  const { hostname, port } = new URL(address);
  const socket = connectSocket(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  // StartupMessage: length, protocol 3.0, then names and values that end in NUL (PostgreSQL manual, 54.7).
  const body = Buffer.from(`\0\x03\0\0user\0${name}\0database\0${name}\0\0`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  socket.write(Buffer.concat([length, body]));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return Object.assign(socket, { asked: answer.toString('latin1') });
}

async function authenticationAsked(made: Made): Promise<string> {
  const socket = await beginAuthentication(made);
  socket.destroy();
  return socket.asked;
}

describe('a removal succeeds although', () => {
  test('the owner made a template of the database', async () => {
    const { name, address } = await server.make();
    await ask(address, `alter database ${name} is_template true`);
    await server.engine.remove(name);
    await expect(ask(address, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  test('somebody does not finish logging in', async () => {
    const { name, address, password } = await server.make();
    const stalled = await beginAuthentication({ name, address, password });
    const began = performance.now();
    const ended = once(stalled, 'close');
    await Promise.all([server.engine.remove(name), ended]);
    // The server itself would give it 10 seconds.
    expect(performance.now() - began).toBeLessThan(8000);
  });
});
