import type { TestProject } from 'vitest/node';
import { type RunningTestServer, startTestServer } from './test-server.ts';
import type {} from './testing.ts';

interface Shared {
  server: Promise<RunningTestServer>;
  users: number;
}

declare global {
  /** Each project loads this module for itself; the server is one for all of them. */
  var nephosTestServer: Shared | undefined;
}

/** Vitest's global set-up: a PostgreSQL with a migrated template, `TEST_DATABASE_URL` or an embedded one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  globalThis.nephosTestServer ??= { server: startTestServer(process.env.TEST_DATABASE_URL), users: 0 };
  const mine = globalThis.nephosTestServer;
  mine.users += 1;
  const { close, ...server } = await mine.server;
  project.provide('testServer', server);
  return async () => {
    mine.users -= 1;
    if (mine.users === 0) await close();
  };
}
