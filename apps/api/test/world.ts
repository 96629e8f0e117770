import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppRouter, User } from '@nephos/contracts';
import { createClient } from '@nephos/contracts/client';
import { createDb, createPool } from '@nephos/db';
import { createTestDatabase } from '@nephos/db/testing';
import type { TRPCClient } from '@trpc/client';
import { EventSource } from 'eventsource';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { freePort } from '../../../tools/server-process.mjs';
import { buildApp } from '../src/app.ts';
import { noAudit } from '../src/core/call-audit.ts';
import type { CallerWorkspace, UserContext } from '../src/core/context.ts';
import { readSettings } from '../src/core/env.ts';
import type { Settings } from '../src/core/settings.ts';
import type { Overrides } from '../src/domains.ts';
import type { Patiences } from '../src/http/patience.ts';
import { createServer, type Server } from '../src/server.ts';
import { assertDocumented } from './documented-answers.ts';
import { removeMachineRules } from './machine-rules.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text where it is not JSON. */
  body: unknown;
  text: string;
}

export interface RestOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

/** A caller with (or without) a session, at both doors. */
export interface Person {
  user: User;
  cookie: string;
  rest(route: string, options?: RestOptions): Promise<Answer>;
  rpc: TRPCClient<AppRouter>;
}

export interface World {
  app: FastifyInstance;
  deps: Server;
  url: string;
  databaseUrl: string;
  /** A new account; the first one of a world is the admin. */
  as(name: string): Promise<Person>;
  /** A caller without a session. */
  anyone: Omit<Person, 'user'>;
  close(): Promise<void>;
}

export interface WorldOptions {
  settings?: Partial<Settings>;
  overrides?: Overrides & { patiences?: Patiences };
  /** Of the server's pool; by default 8. */
  connections?: number;
  /** Whether background jobs and the engine run. */
  running?: boolean;
  /** Where the log goes; by default nowhere, or as `TEST_LOG` says to standard output. */
  log?: Logger;
  /** Shares another world's database: a second replica. */
  databaseUrl?: string;
}

export const PASSWORD = 'correct horse battery';

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: unknown = text;
  if (response.headers.get('content-type')?.startsWith('application/json')) body = JSON.parse(text);
  return { status: response.status, headers: response.headers, body, text };
}

/** `rest('POST /api/projects', { body })` against a listening app; whatever it answers has to be documented. */
async function callRest(url: string, cookie: string, route: string, options: RestOptions = {}) {
  const [method = 'GET', path = '/'] = route.split(' ');
  const json: Record<string, string> =
    options.body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(new URL(path, url), {
    method,
    redirect: 'manual',
    headers: { ...(cookie && { cookie }), ...json, ...options.headers },
    ...(options.body !== undefined && {
      body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body),
    }),
  });
  assertDocumented(method, path, response.status);
  return answerOf(response);
}

/** Someone with the cookie of a session, or '', at the server that listens at `url`. */
export function callerOf(url: string, cookie: string): Omit<Person, 'user'> {
  class CookieEventSource extends EventSource {
    constructor(address: string | URL) {
      super(address, {
        fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, cookie } }),
      });
    }
  }
  return {
    cookie,
    rest: (route, options) => callRest(url, cookie, route, options),
    rpc: createClient({
      url,
      headers: (): Record<string, string> => (cookie ? { cookie } : {}),
      EventSource: CookieEventSource,
    }),
  };
}

/** The value of a `Set-Cookie` header as a `Cookie` header sends it back. */
export function cookieOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** Makes an account there; the first one is the admin. */
export async function signUp(url: string, name: string): Promise<Person> {
  const body = {
    email: `${name.toLowerCase()}@example.com`,
    password: PASSWORD,
    firstName: name,
    lastName: 'Tester',
  };
  const answer = await callRest(url, '', 'POST /api/signup', { body });
  if (answer.status !== 201) throw new Error(`sign-up failed: ${answer.status} ${answer.text}`);
  return { user: answer.body as User, ...callerOf(url, cookieOf(answer.headers)) };
}

/** Somebody's personal workspace, which nobody else builds in. */
export function ownWorkspace({ id, email, handle, role }: User): CallerWorkspace {
  return { id, handle, name: email, personal: true, role: 'owner', trust: role };
}

/** The context in which services answer somebody who is signed in. */
export function contextFor({ deps }: Pick<World, 'deps'>, user: User): UserContext {
  return {
    ...{
      user,
      workspace: ownWorkspace(user),
      ownerId: user.id,
      tokenScope: null,
      sessionId: null,
      requestId: 'test',
    },
    ...{ db: deps.db, audit: noAudit, afterCommit: (task) => task(), signal: undefined },
  };
}

/** The real app on a database of its own, listening on a free port. Call `close` when done. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nephos-test-'));
  // As the data folder is made: apps' own accounts reach theirs below it.
  await chmod(dataDir, 0o711);
  const database = options.databaseUrl ? undefined : await createTestDatabase();
  const databaseUrl = options.databaseUrl ?? database?.url ?? '';
  const port = await freePort();
  const settings = {
    ...readSettings({
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      ALLOW_PRIVATE_REPOSITORIES: '1',
      PORT: String(port),
      MANAGED_POSTGRES_PORT: '0',
      MANAGED_REDIS_PORT: '0',
      MANAGED_POSTGRES_POOLED_PORT: '0',
      DNS_PORT: '0',
      PATH: process.env.PATH,
      NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
    }),
    databaseUrl,
    ...options.settings,
  };
  const log = options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' });
  const db = createDb(createPool({ url: databaseUrl, max: options.connections ?? 8 }));
  const deps = await createServer(settings, log, { url: databaseUrl, db }, options.overrides);
  const app = await buildApp(deps);
  await app.listen({ host: '127.0.0.1', port });
  const url = `http://127.0.0.1:${port}`;
  if (options.running) await deps.begin();
  const world: World = {
    ...{ app, deps, url, databaseUrl },
    as: (name) => signUp(url, name),
    anyone: callerOf(url, ''),
    close: async () => {
      await closeServer(world);
      await database?.drop();
      await removeMachineRules(dataDir);
      await rm(dataDir, { recursive: true, force: true });
      // A file's variables last as long as its worker: what they led to, megabytes, would weigh on all later files.
      Object.assign(world, { app: undefined, deps: undefined });
    },
  };
  return world;
}

async function closeServer({ app, deps }: World): Promise<void> {
  await Promise.all([app.close(), deps.end()]);
  await deps.close();
  await deps.db.destroy();
}
