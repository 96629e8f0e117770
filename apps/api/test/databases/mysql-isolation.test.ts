import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { newPassword } from '../../src/domains/databases/credentials.ts';
import type { Credentials } from '../../src/domains/databases/engines/engine.ts';
import { altered } from './database-engine-contract.ts';
import { createMysqlWorld, type MysqlWorld } from './mysql-world.ts';
import { startStockMariadb } from './stock-mariadb.ts';

const present = requireTool('mariadbd') && requireTool('mariadb');
const run = promisify(execFile);

const servers = [
  ['a private MariaDB', createMysqlWorld],
  [
    'the server at MANAGED_MYSQL_URL',
    async () => {
      const stock = await startStockMariadb();
      const world = await createMysqlWorld(stock.url);
      const close = async () => {
        await world.close();
        await stock.close();
      };
      return { ...world, close };
    },
  ],
] satisfies [string, () => Promise<MysqlWorld>][];

describe.skipIf(!present).each(servers)('on %s', (where, createServer) => {
  const isPrivate = where === 'a private MariaDB';
  let world: MysqlWorld;
  let one: Connection;
  let scratch: string;
  // The first name as a pattern would match the second.
  const ours: Credentials = { name: 'db_1', password: newPassword() };
  const theirs: Credentials = { name: 'dbx1', password: newPassword() };
  const addressOf = (credentials: Credentials) => world.engine.connectionString(credentials);

  beforeAll(async () => {
    world = await createServer();
    scratch = await mkdtemp(join(tmpdir(), 'nephos-scratch-'));
    for (const credentials of [ours, theirs]) await world.engine.create(credentials);
    const two = await world.open(addressOf(theirs));
    await two.query('create table secrets (text varchar(20))');
    await two.query("insert into secrets values ('of the other')");
    one = await world.open(addressOf(ours));
    await one.query('create table notes (id int)');
  });
  afterAll(async () => {
    await world.close();
    await rm(scratch, { recursive: true, force: true });
  });

  const textOf = async (query: string) => JSON.stringify((await one.query(query))[0]);

  test.each([
    'use dbx1',
    'select * from dbx1.secrets',
    'insert into dbx1.secrets values (1)',
    'drop database dbx1',
    'create table dbx1.mine (id int)',
    'show tables from dbx1',
    'create view v as select * from dbx1.secrets',
    'create database dbx2',
    'select * from mysql.user',
    'select * from mysql.global_priv',
    'select * from sys.processlist',
    'select * from performance_schema.threads',
    'select 1 into outfile "/tmp/nephos-outfile"',
    'select 1 into dumpfile "/tmp/nephos-dumpfile"',
    'load data infile "/etc/passwd" into table notes',
    'create function f returns integer soname "udf.so"',
    'install soname "ha_federated"',
    'create table t (id int) engine=federated connection="mysql://127.0.0.1/"',
    'create definer=root@127.0.0.1 procedure p() select * from dbx1.secrets',
    'grant select on db_1.* to dbx1',
    'create user stranger',
    'create role stranger',
    'alter user current_user() with max_user_connections 0',
    'set global max_connections = 1',
    'set global local_infile = 1',
    'set session max_user_connections = 1000',
    'flush privileges',
    'flush tables with read lock',
    'shutdown',
    'show engine innodb status',
    'show binary logs',
    'select * from information_schema.innodb_sys_tables',
    'change master to master_host="127.0.0.1"',
  ])('its user cannot %s', async (statement) => {
    await expect(one.query(statement)).rejects.toThrow(
      /denied|not allowed|Unknown storage engine|SESSION variable/,
    );
  });

  test('its user sees only what is its own', async () => {
    await world.open(addressOf(theirs));
    expect((await one.query('show databases'))[0]).toEqual(
      expect.arrayContaining([{ Database: 'db_1' }, { Database: 'information_schema' }]),
    );
    expect(await textOf('show databases')).not.toContain('dbx1');
    expect(await textOf('select * from information_schema.schemata')).not.toContain('dbx1');
    expect(await textOf('select * from information_schema.tables')).not.toContain('secrets');
    expect(await textOf('show processlist')).toContain('db_1');
    expect(await textOf('show full processlist')).not.toContain('dbx1');
    expect(await textOf('select * from information_schema.processlist')).not.toContain('dbx1');
    expect(await textOf('select * from information_schema.user_privileges')).not.toContain('dbx1');
  });

  test('no session of another can be ended', async () => {
    const other = await world.open(addressOf(theirs));
    await expect(one.query(`kill ${other.threadId}`)).rejects.toThrow(/not owner|Unknown thread/);
    await other.query('select 1');
  });

  test('files of the server cannot be read', async () => {
    expect((await one.query('select load_file("/etc/passwd") as text'))[0]).toEqual([{ text: null }]);
  });

  test('tables stay in their folder, or the log says that they need not', async () => {
    for (const engine of ['innodb', 'myisam', 'aria']) {
      const place = join(scratch, engine);
      await mkdir(place);
      for (const folder of [scratch, place]) await chmod(folder, 0o777);
      const statement = `create table placed_${engine} (id int) engine=${engine} data directory='${place}'`;
      await one.query(statement).catch(() => {});
      if (isPrivate) expect(await readdir(place)).toEqual([]);
    }
    expect((await world.logged()).includes('skip-symbolic-links')).toBe(!isPrivate);
  });

  test('a client sends no file of its own unless the server is a stranger', async () => {
    const file = join(scratch, 'sent');
    await writeFile(file, '7\n');
    const client = run(
      'mariadb',
      [...clientOptions(), '--local-infile=1', '-e', `load data local infile '${file}' into table notes`],
      { env: clientEnvironment() },
    );
    if (isPrivate) await expect(client).rejects.toThrow(/local infile|not allowed/);
    else await client;
  });

  function clientOptions(): string[] {
    const { hostname, port } = new URL(addressOf(ours));
    return [
      '--no-defaults',
      `--host=${hostname}`,
      `--port=${port}`,
      `--user=${ours.name}`,
      `--database=${ours.name}`,
    ];
  }
  const clientEnvironment = () => ({ PATH: process.env.PATH, MYSQL_PWD: ours.password });

  test("MariaDB's own client connects", async () => {
    const options = [...clientOptions(), '--batch', '--skip-column-names'];
    const { stdout } = await run(
      'mariadb',
      [...options, '-e', 'select current_user(), database(), @@character_set_database'],
      {
        env: clientEnvironment(),
      },
    );
    expect(stdout).toBe('db_1@%\tdb_1\tutf8mb4\n');
  });

  test('a statement may take a minute, unless a session asks for more', async () => {
    const limit = async () => (await one.query('select @@max_statement_time + 0 as seconds'))[0];
    expect(await limit()).toEqual([{ seconds: 60 }]);
    await one.query('set max_statement_time = 0.05');
    await expect(one.query('select sleep(5)')).rejects.toThrow(/max_statement_time/);
    await one.query('set max_statement_time = 60');
  });

  test('twenty connections at once and no more, which another database does not notice', async () => {
    const credentials = { name: 'crowded', password: newPassword() };
    await world.engine.create(credentials);
    const address = addressOf(credentials);
    await Promise.all(Array.from({ length: 20 }, () => world.open(address)));
    expect(await world.engine.usage('crowded')).toMatchObject({ connections: 20, connectionLimit: 20 });
    await expect(world.open(address)).rejects.toThrow(/max_user_connections/);
    await one.query('select 1');
    await world.engine.remove('crowded');
  });

  test('a login that began with the old password does not outlive it', async () => {
    const credentials = { name: 'slow', password: newPassword() };
    await world.engine.create(credentials);
    const { hostname, port } = new URL(addressOf(credentials));
    const halfOpen = connectSocket(Number(port), hostname);
    // The server has asked who we are, and gets no answer.
    await once(halfOpen, 'data');
    const ended = once(halfOpen, 'close');
    halfOpen.resume();
    const session = await world.open(addressOf(credentials));
    await world.engine.setPassword({ ...credentials, password: newPassword() });
    await ended;
    await expect(session.query('select 1')).rejects.toThrow();
    await expect(world.open(addressOf(credentials))).rejects.toThrow(/denied/);
    await world.engine.remove('slow');
  });

  test.each(["a'b", 'a`b', 'a.b', 'a%', 'A', '', 'a'.repeat(33), "x' or '1", 'a;drop database dbx1'])(
    'the name %j is refused before anything is asked',
    async (name) => {
      const credentials = { name, password: 'p' };
      for (const refused of [
        () => world.engine.create(credentials),
        () => world.engine.setPassword(credentials),
        () => world.engine.remove(name),
        () => world.engine.usage(name),
      ]) {
        await expect(refused()).rejects.toThrow('A database name has 1 to 32 of a-z, 0-9 and _');
      }
    },
  );

  test('a password of any characters is a password', async () => {
    const credentials = { name: 'quoting', password: `a'b"c\\d\`e%f;--/*` };
    await world.engine.create(credentials);
    const connection = await world.open(addressOf(credentials));
    expect((await connection.query('select current_user() as user'))[0]).toEqual([{ user: 'quoting@%' }]);
    await world.engine.remove('quoting');
  });

  test('an owner who dropped the database can make it again, and have it removed', async () => {
    const credentials = { name: 'careless', password: newPassword() };
    await world.engine.create(credentials);
    const connection = await world.open(addressOf(credentials));
    await connection.query('drop database careless');
    await world.engine.create(credentials);
    await (await world.open(addressOf(credentials))).query('create table t (id int)');
    await connection.query('drop database careless');
    await world.engine.remove('careless');
    await expect(world.open(addressOf(credentials))).rejects.toThrow();
    await expect(world.open(altered(addressOf(credentials), ours))).rejects.toThrow();
  });

  test('removal does not wait for a transaction that is open', async () => {
    const credentials = { name: 'busy', password: newPassword() };
    await world.engine.create(credentials);
    const connection = await world.open(addressOf(credentials));
    await connection.query('create table t (id int)');
    await connection.query('start transaction');
    await connection.query('insert into t values (1)');
    const sleeping = connection.query('select sleep(30)').catch(() => {});
    await world.engine.remove('busy');
    await sleeping;
    await expect(world.open(addressOf(credentials))).rejects.toThrow();
  });
});
