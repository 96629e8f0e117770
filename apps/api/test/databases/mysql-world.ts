import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import { pino } from 'pino';
import { readSettings } from '../../src/core/env.ts';
import { createMysqlEngine } from '../../src/domains/databases/engines/mysql/mysql-engine.ts';
import type { DatabaseSession, EngineUnderTest } from './database-engine-contract.ts';
import { openMysql } from './mysql-session.ts';

export interface MysqlWorld extends EngineUnderTest {
  dataDir: string;
  /** A connection of an ordinary client. */
  open(connectionString: string): Promise<Connection>;
}

/** The engine on the server at `url`, or without one on a private server of its own data folder. */
export async function createMysqlWorld(url = ''): Promise<MysqlWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nephos-mysql-'));
  await chmod(dataDir, 0o711);
  let ours = '';
  const log = pino(
    { level: 'trace' },
    {
      write: (line: string) => {
        ours += line;
      },
    },
  );
  const settings = readSettings({ DATA_DIR: dataDir, MANAGED_MYSQL_URL: url, PATH: process.env.PATH });
  const engine = createMysqlEngine({ settings, log });
  await engine.start();
  const opened: Connection[] = [];

  async function open(connectionString: string): Promise<Connection> {
    const connection = await openMysql(connectionString);
    opened.push(connection);
    return connection;
  }

  return {
    engine,
    dataDir,
    open,
    connect: async (connectionString) => sessionOn(await open(connectionString)),
    async logged() {
      return ours + (url ? '' : await readFile(join(dataDir, 'managed-mysql', 'log'), 'utf8'));
    },
    async close() {
      for (const connection of opened) connection.destroy();
      await engine.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function sessionOn(connection: Connection): DatabaseSession {
  return {
    async add(table) {
      await connection.query(`create table if not exists ${mysql.escapeId(table)} (id int)`);
      await connection.query(`insert into ${mysql.escapeId(table)} values (1)`);
    },
    async count(table) {
      const [rows] = await connection.query<RowDataPacket[]>(
        `select count(*) as n from ${mysql.escapeId(table)}`,
      );
      return Number(rows[0]?.n);
    },
    close: () => connection.end(),
  };
}
