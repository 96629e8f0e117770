import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unprivilegedAccount } from '@nephos/db';
import mysql from 'mysql2/promise';
import { freePort } from '../../../../tools/server-process.mjs';

const PASSWORD = 'administrator';
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

export interface StockMariadb {
  /** The address of its administrator, who may come from anywhere. */
  url: string;
  close(): Promise<void>;
}

/** A MariaDB that somebody else set up: its defaults, which let clients send files, and a socket of its own. */
export async function startStockMariadb(): Promise<StockMariadb> {
  const home = await mkdtemp(join(tmpdir(), 'nephos-stock-mariadb-'));
  const account = unprivilegedAccount(['mysql', 'nobody']);
  await chmod(home, 0o711);
  const data = join(home, 'data');
  await mkdir(data);
  // Each deletes what others left in a temporary folder that they share.
  const env = { ...ENVIRONMENT, TMPDIR: home };
  if (account) for (const folder of [home, data]) await chown(folder, account.uid, account.gid);
  await promisify(execFile)(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--force',
    ],
    { ...account, env },
  );
  const port = await freePort();
  const socket = join(home, 'socket');
  const options = ['--no-defaults', `--datadir=${data}`, `--port=${port}`, `--socket=${socket}`];
  const server = spawn('mariadbd', [...options, '--bind-address=127.0.0.1'], {
    ...account,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(server, 'exit');
  // A test that fails before its teardown leaves no server behind.
  const end = () => server.kill('SIGKILL');
  process.once('exit', end);
  await new Promise<void>((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('ready for connections')) resolve();
    });
    server.once('exit', () => reject(new Error(said)));
  });
  const root = await mysql.createConnection({ socketPath: socket, user: 'root' });
  await root.query(`create user 'admin'@'%' identified by '${PASSWORD}'`);
  await root.query(`grant all privileges on *.* to 'admin'@'%' with grant option`);
  await root.end();
  return {
    url: `mysql://admin:${PASSWORD}@127.0.0.1:${port}/`,
    async close() {
      process.off('exit', end);
      end();
      await exited;
      await rm(home, { recursive: true, force: true });
    },
  };
}
