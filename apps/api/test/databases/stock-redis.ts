import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { openRedis, type RedisClient } from '../../src/domains/databases/engines/redis/redis-client.ts';

/** A Redis as somebody installs it. */
export interface StockRedis {
  /** With the password of its administrator. */
  url: string;
  /** Asks as its administrator. */
  ask: RedisClient['ask'];
  /** Ends it at once, and starts it again with what it has kept. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** `keepsUsers`: whether it has a file for them. Without a password it lets anybody in. */
export async function startStockRedis({
  keepsUsers = false,
  password = 'stock/secret',
} = {}): Promise<StockRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-stock-redis-'));
  const port = await freePort();
  const users = join(folder, 'users.acl');
  const unnamed = password ? `>${password}` : 'nopass';
  if (keepsUsers) await writeFile(users, `user default on ${unnamed} ~* &* +@all\n`);
  const settings = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes'],
    ...(keepsUsers ? ['--aclfile', users] : password ? ['--requirepass', password] : []),
  ];
  let server = await start();

  async function start() {
    const started = spawn('redis-server', settings, { stdio: 'ignore' });
    await vi.waitFor(() => ask('PING'), { timeout: 60_000, interval: 20 });
    return started;
  }

  async function ask(...words: string[]) {
    const client = openRedis({ host: '127.0.0.1', port });
    try {
      if (password) await client.ask('AUTH', password);
      return await client.ask(...words);
    } finally {
      client.close();
    }
  }

  async function end() {
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }

  return {
    url: `redis://${password && `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    ask,
    async restart() {
      await end();
      server = await start();
    },
    async close() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
