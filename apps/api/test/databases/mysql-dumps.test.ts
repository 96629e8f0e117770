import { readdir, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { newCredentials } from '../../src/domains/databases/credentials.ts';
import type { Credentials, Dumps } from '../../src/domains/databases/engines/engine.ts';
import { createMysqlWorld, type MysqlWorld } from './mysql-world.ts';

const present = requireTool('mariadbd') && requireTool('mariadb');
const never = new AbortController().signal;

const CONTENTS = [
  'create table notes (id int primary key auto_increment, note text, data blob)',
  "insert into notes (note, data) values ('a\\nCREATE DEFINER=x \\'\\\\! touch', x'00ff0a27'), ('ä🙂', null)",
  'create view newest as select * from notes where id > 1',
  "create trigger mark before insert on notes for each row set new.note = concat(new.note, '!')",
  'create procedure count_notes() begin select count(*) as n from notes; end',
  'create function next_of(x int) returns int deterministic return x + 1',
  'create event clean on schedule every 1 year do delete from notes',
  'create table `odd\n\\! touch name` (a int)',
];

describe.skipIf(!present)('dumps of a MySQL database', () => {
  let world: MysqlWorld;
  let dumps: Dumps;

  beforeAll(async () => {
    world = await createMysqlWorld();
    if (!world.engine.dumps) throw new Error('There are none');
    dumps = world.engine.dumps;
  });
  afterAll(() => world.close());

  async function make(): Promise<Credentials> {
    const credentials = newCredentials();
    await world.engine.create(credentials);
    return credentials;
  }

  async function made(statements: readonly string[]): Promise<Credentials> {
    const credentials = await make();
    const session = await world.open(world.engine.connectionString(credentials));
    for (const statement of statements) await session.query(statement);
    await session.end();
    return credentials;
  }

  async function rows(credentials: Credentials, sql: string): Promise<unknown[]> {
    const session = await world.open(world.engine.connectionString(credentials));
    const [found] = await session.query<RowDataPacket[]>(sql);
    await session.end();
    return Array.isArray(found) ? found.map((row) => ({ ...row })) : [];
  }

  test('bring all of it back in another, whose user defines it from then on', async () => {
    expect(dumps.unavailable()).toBeNull();
    const from = await made(CONTENTS);
    const into = await make();
    await dumps.write(dumps.read(from, never), { from: from.name, credentials: into, signal: never });
    await world.engine.remove(from.name);
    expect(await rows(into, 'select note, data from notes order by id')).toEqual([
      { note: "a\nCREATE DEFINER=x '\\! touch", data: Buffer.from('00ff0a27', 'hex') },
      { note: 'ä🙂', data: null },
    ]);
    await rows(into, "insert into notes (note) values ('new')");
    expect(await rows(into, 'select note from newest order by id')).toEqual([
      { note: 'ä🙂' },
      { note: 'new!' },
    ]);
    expect(await rows(into, 'select next_of(1) as n')).toEqual([{ n: 2 }]);
    expect(
      await rows(into, "select count(*) as n from information_schema.events where definer like 'db\\_%'"),
    ).toEqual([{ n: 1 }]);
    expect(await rows(into, 'show tables')).toHaveLength(3);
  });

  test('run none of the commands of the client, and none that their user may not', async () => {
    const into = await make();
    const write = (text: string) =>
      dumps.write(Readable.from([Buffer.from(text)]), { from: 'db_x', credentials: into, signal: never });
    for (const command of [
      '\\! touch /tmp/nephos-dump-ran',
      'system touch /tmp/nephos-dump-ran',
      '\\. /etc/passwd',
    ]) {
      await expect(write(`${command}\n;select 1;`)).rejects.toThrow(/Unknown command|SQL syntax/);
    }
    await expect(write("load data local infile '/etc/passwd' into table t;")).rejects.toThrow();
    await expect(write('create user intruder;')).rejects.toThrow('Access denied');
    await expect(write('create definer=root@127.0.0.1 view v as select 1;')).rejects.toThrow('Access denied');
    expect(await readdir('/tmp')).not.toContain('nephos-dump-ran');
  });

  test('say why they failed, and end when they are told to', async () => {
    const from = await made(CONTENTS);
    const read = async (credentials: Credentials, signal = never) => {
      for await (const _ of dumps.read(credentials, signal));
    };
    await expect(read({ ...from, password: 'wrong' })).rejects.toThrow('Access denied');
    const ending = new AbortController();
    const reading = dumps.read(from, ending.signal);
    ending.abort();
    await expect(async () => {
      for await (const _ of reading);
    }).rejects.toThrow();
    const into = await make();
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.from('do sleep(0.001);\n');
      })(),
    );
    const stop = new AbortController();
    const writing = dumps.write(endless, { from: 'db_x', credentials: into, signal: stop.signal });
    await expect.poll(() => rows(into, 'show processlist')).toHaveLength(2);
    stop.abort();
    await expect(writing).rejects.toThrow();
  });

  test('tell their password to no list of processes', async () => {
    const from = await made(CONTENTS);
    const dump = dumps.read(from, never)[Symbol.asyncIterator]();
    await dump.next();
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    expect(lines.filter((line) => line.includes(from.password))).toEqual([]);
    await dump.return?.();
  });
});
