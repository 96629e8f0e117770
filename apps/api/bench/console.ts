import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@nephos/db/embedded';
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '../../../tools/process.mjs';
import { freePort, killGroup, startServer } from '../../../tools/server-process.mjs';

const MAIN = resolve(import.meta.dirname, '../src/main.ts');
const START_MS = 60_000;

/** A console in a process of its own, as `npm start` runs it. */
export interface Console {
  pid: number;
  url: string;
  port: number;
  databaseUrl: string;
  dataDir: string;
  /** Cookie of an account that it has. */
  cookie: string;
  call(method: string, path: string, body?: object): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a program of ours and waits for its ready line. */
export async function startProgram(file: string, settings: Record<string, string>, args: string[] = []) {
  const command = [process.execPath, ...SERVER_FLAGS, file, ...args];
  const server = startServer({ command, cwd: tmpdir(), settings: { ...SERVER_ENVIRONMENT, ...settings } });
  const { url, ms } = await server.ready(START_MS);
  const stop = async () => {
    process.kill(server.pid, 'SIGTERM');
    await server.exited;
    killGroup(server);
  };
  return { pid: server.pid, url, ms, stop };
}

export function consoleSettings(dataDir: string, port: number): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    PORT: String(port),
    RATE_LIMITS: 'off',
    ALLOW_PRIVATE_REPOSITORIES: '1',
    DNS_PORT: '0',
    LOG_LEVEL: 'warn',
  };
}

/** Makes an account and resolves to the cookie of its session, without the one by which its browser is known. */
export async function signUp(url: string, email = 'bench@example.com'): Promise<string> {
  const response = await fetch(`${url}/api/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a long enough password' }),
  });
  if (response.status !== 201) throw new Error(`sign-up failed: ${await response.text()}`);
  const session = response.headers.getSetCookie().find((cookie) => /^[\w-]*session=/.test(cookie));
  return session?.split(';')[0] ?? '';
}

/** With `more` settings than a benchmark has anyway; `program` starts the server in another way than `npm start`. */
export async function startConsole(more: Record<string, string> = {}, program = MAIN): Promise<Console> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nephos-bench-'));
  // As the data folder is made: the account that PostgreSQL runs under reaches its own below it.
  await chmod(dataDir, 0o711);
  const port = await freePort();
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'pg') });
  const settings = { ...consoleSettings(dataDir, port), DATABASE_URL: postgres.url, ...more };
  const { pid, stop } = await startProgram(program, settings);
  const url = `http://127.0.0.1:${port}`;
  const cookie = await signUp(url);
  return {
    pid,
    url,
    port,
    databaseUrl: postgres.url,
    dataDir,
    cookie,
    async call(method, path, body) {
      const ask = () =>
        fetch(url + path, {
          method,
          headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        });
      // On a busy machine the connection that lay idle may be closed while it is taken up again.
      const response = await ask().catch((error) => (method === 'GET' ? ask() : Promise.reject(error)));
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    async stop() {
      await stop();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
