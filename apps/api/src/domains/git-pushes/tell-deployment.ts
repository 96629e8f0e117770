import { stripVTControlCharacters } from 'node:util';
import type { Deployment } from '@nephos/contracts';
import { follow } from '../../platform/follow.ts';
import { UNFINISHED } from '../deployments/attempt.ts';
import { DEPLOYMENT_CHANGED, DEPLOYMENT_LOG } from '../deployments/channels.ts';
import { deploymentPage } from '../deployments/deployment-page.ts';
import { readLog } from '../deployments/log.ts';
import { deploymentsOf } from '../deployments/service.ts';
import type { GitParts } from './git-pushes.ts';
import type { PushedProject } from './open-for.ts';

/** Milliseconds after which something is sent where nothing happens, since proxies give up silent connections. */
const QUIET_MS = 10_000;

interface Told {
  deploymentId: string;
  commit: string;
  project: PushedProject;
  signal: AbortSignal;
}

/** A deployment for who waits for it: its log until it has ended, and what became of it. '' where nothing happens. */
export async function* tellDeployment(
  parts: GitParts,
  { deploymentId: id, commit, project, signal }: Told,
): AsyncGenerator<string> {
  const { db, notifications, settings } = parts;
  const page = deploymentPage(settings, { id, projectId: project.id });
  yield `Deploying ${commit.slice(0, 12)}. Ctrl-C stops watching, not the deployment.\n`;
  const channels = [DEPLOYMENT_LOG, DEPLOYMENT_CHANGED];
  const follower = follow(notifications, { channels, concerns: (about) => about.endsWith(id), signal });
  const lines = createLines();
  let seq = 0;
  try {
    for (;;) {
      // Asked before reading: what an ended build wrote is all there by then.
      const deployment = await deploymentsOf(db, project.ownerId).where('id', '=', id).executeTakeFirst();
      for await (const chunk of readLog(db, id, seq)) {
        if (signal.aborted) return;
        seq = chunk.seq;
        const text = lines.push(chunk.text);
        if (text) yield text;
      }
      if (!deployment || !isUnfinished(deployment)) {
        yield `${lines.rest()}\n${deployment ? endOf(deployment, parts.appAddress(project.slug), page) : GONE}\n`;
        return;
      }
      const turn = await follower.turn(QUIET_MS);
      if (turn === 'over') return;
      if (turn === 'quiet') yield '';
    }
  } finally {
    follower.end();
  }
}

const GONE = 'The project was deleted.';

function isUnfinished({ status }: Deployment): boolean {
  return UNFINISHED.some((unfinished) => unfinished === status);
}

function endOf({ status, step, error }: Deployment, url: string, page: string): string {
  if (status === 'failed') return `Failed${step ? ` at the step ${step}` : ''}: ${error ?? ''}\n${page}`;
  if (status === 'cancelled') return `Not deployed: ${error ?? ''}\n${page}`;
  return `Live at ${url}`;
}

/** Puts pieces of a log together to lines that any terminal can show: of one that was written over, what came last. */
function createLines() {
  let rest = '';
  const plain = (line: string) => {
    const text = stripVTControlCharacters(line).replace(/\r$/, '');
    return text.slice(text.lastIndexOf('\r') + 1);
  };
  return {
    push(text: string): string {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      return lines.map((line) => `${plain(line)}\n`).join('');
    },
    rest: () => (rest === '' ? '' : `${plain(rest)}\n`),
  };
}
