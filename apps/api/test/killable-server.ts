import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppRouter } from '@nephos/contracts';
import { createClient } from '@nephos/contracts/client';
import type { TRPCClient } from '@trpc/client';
import { currentNode } from '../../../tools/process.mjs';
import {
  freePort,
  killGroup,
  processesLeft,
  processesOf,
  startServer,
} from '../../../tools/server-process.mjs';
import { removeMounts } from './remove-mounts.ts';
import { removeNetworks } from './remove-networks.ts';
import { cookieOf, PASSWORD } from './world.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
/** Milliseconds within which a server has to answer. */
export const READY_MS = 60_000;

/** The server in a process of its own, on a data folder that outlives it. */
export interface KillableServer {
  url: string;
  port: number;
  dataDir: string;
  /** Starts it, or starts it again, and waits until it answers. */
  start(): Promise<void>;
  /** Asks it to stop, as a person or the system's service manager does, and waits until it has. */
  stop(): Promise<void>;
  /** `kill -9` of the server itself; what it has started is left behind. */
  kill(): Promise<void>;
  /** `kill -9` of all that runs from its folder, as where a machine's power goes. */
  killAll(): Promise<void>;
  /** Holds it still, as a machine that hangs would; `resume` lets it go on. */
  pause(): void;
  resume(): void;
  /** Makes the account ada@example.com. */
  signUp(): Promise<TRPCClient<AppRouter>>;
  /** Ends everything that ran from its folder, and removes that. */
  close(): Promise<void>;
}

/** `environment` is set beside what every test needs. */
export async function createKillableServer(
  environment: Record<string, string> = {},
): Promise<KillableServer> {
  const home = mkdtempSync(join(tmpdir(), 'nephos-killed-'));
  chmodSync(home, 0o711);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = join(home, 'data');
  const settings = {
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    ALLOW_PRIVATE_REPOSITORIES: '1',
    ...environment,
  };
  let server: ReturnType<typeof startServer> | undefined;
  const signal = (name: NodeJS.Signals) => {
    if (server) process.kill(server.pid, name);
  };
  const end = async (name: NodeJS.Signals) => {
    signal(name);
    await server?.exited;
  };
  const clear = async () => {
    if (server) killGroup(server);
    for (const { pid } of processesOf(home)) killQuietly(pid);
    await processesLeft(home, 10_000);
  };
  return {
    url,
    port,
    dataDir,
    async start() {
      server = startServer({ command: [currentNode(), MAIN], cwd: home, settings });
      await server.ready(READY_MS);
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async killAll() {
      // It may have ended before.
      await clear();
      await server?.exited;
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async signUp() {
      const response = await fetch(`${url}/api/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
      });
      if (response.status !== 201) throw new Error(`sign-up failed: ${await response.text()}`);
      return createClient({ url, headers: () => ({ cookie: cookieOf(response.headers) }) });
    },
    async close() {
      await clear();
      await removeNetworks(dataDir);
      removeMounts(home);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
