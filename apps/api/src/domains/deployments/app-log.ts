import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { persistently } from '../../platform/persistently.ts';
import { createProjectLog } from '../observability/log-store.ts';
import type { LogStream, LogWriter, ProcessOrigin } from './engine/engine.ts';
import { createLogLines, type LogLines } from './log-lines.ts';
import { createLogWriter } from './log-store.ts';

/** UTF-16 units that wait for the secrets to be known; what comes on top of that is dropped, which the log says. */
const EARLY_LENGTH = 1024 * 1024;
/** Milliseconds in which the last words of a process that ended still come. */
const LAST_WORDS = 250;

export interface AppLogParts {
  db: Kysely<Database>;
  log: Logger;
}

export interface AppLogOptions {
  projectId: string;
  deploymentId: string;
  /** Values that must not be readable in either log. */
  secrets(): Promise<string[]>;
  /** Whether requests go to the deployment already. */
  live: boolean;
}

/** What a deployment and its app write: all of it to the deployment's log, and what the app writes to the project's. */
export interface AppLog extends LogWriter {
  /** Requests go to the deployment from now on, so that what the platform says is about a running app. */
  switched(): void;
}

/** The logs of the apps that this process runs. */
export interface AppLogs {
  open(options: AppLogOptions): AppLog;
  /** What a process that has just ended wrote last; '' where nobody knows. */
  lastLines(deploymentId: string, origin: ProcessOrigin): Promise<string>;
}

export function createAppLogs(parts: AppLogParts): AppLogs {
  const open = new Map<string, ReturnType<typeof createLines>>();
  return {
    open({ projectId, deploymentId, secrets, live }) {
      const build = createLogWriter({ ...parts, deploymentId, secrets });
      const lines = createLines(parts, { projectId, deploymentId, secrets });
      open.set(deploymentId, lines);
      let isLive = live;
      return {
        write(stream, text, origin) {
          build.write(stream, text, origin);
          if (origin) lines.push(origin, stream, text);
        },
        system(text) {
          build.system(text);
          if (isLive) lines.system(text);
        },
        switched() {
          isLive = true;
        },
        async close() {
          open.delete(deploymentId);
          await Promise.all([build.close(), lines.close()]);
        },
      };
    },
    async lastLines(deploymentId, origin) {
      await new Promise((resolve) => setTimeout(resolve, LAST_WORDS));
      return open.get(deploymentId)?.lastOf(origin) ?? '';
    },
  };
}

/** The project's log, as one deployment's processes write to it. */
function createLines(
  { db, log }: AppLogParts,
  { projectId, deploymentId, secrets }: Omit<AppLogOptions, 'live'>,
) {
  const store = createProjectLog({ db, log }, projectId);
  let lines: LogLines | undefined;
  let early: (() => void)[] = [];
  let earlyLength = 0;
  const missed = { lines: 0, length: 0 };
  const ready = persistently(secrets)
    .then((values) => {
      lines = createLogLines(values, (line) => store.add({ ...line, deploymentId }));
      for (const work of early) work();
      if (missed.lines > 0) store.lost(missed);
    })
    .catch((error) => log.error({ err: error, deploymentId }, 'the log of an app is not stored'))
    .finally(() => {
      early = [];
    });

  function push(origin: ProcessOrigin, stream: LogStream, text: string): void {
    if (lines) lines.push(origin, stream, text);
    else if (earlyLength + text.length <= EARLY_LENGTH) {
      earlyLength += text.length;
      early.push(() => lines?.push(origin, stream, text));
    } else {
      missed.lines += text.split('\n').length - 1;
      missed.length += text.length;
    }
  }

  return {
    push,
    system(text: string) {
      const at = Date.now();
      store.add({ at, stream: 'system', process: null, instance: null, deploymentId, text });
    },
    lastOf: (origin: ProcessOrigin) => lines?.lastOf(origin) ?? '',
    async close() {
      await ready;
      lines?.end();
      await store.close();
    },
  };
}
