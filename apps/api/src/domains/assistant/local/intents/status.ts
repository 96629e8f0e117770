import type { ManagedDatabase } from '@nephos/contracts';
import { byteSize } from '../../../../platform/byte-size.ts';
import { findDatabase } from '../find-database.ts';
import { findProject } from '../find-project.ts';
import type { Answer, Intent, LocalTurn } from '../intent.ts';
import { bold, code, paragraphs, plain } from '../markdown.ts';
import { read } from '../read.ts';
import { KINDS, listKind } from './kinds.ts';

export const status: Intent = {
  name: 'status',
  example: 'What is the status of my-app?',
  scopes: ['general', 'kubernetes'],
  about: ['project', 'database'],
  matches: [
    ['status'],
    ['status', 'project'],
    ['status', 'deploy'],
    ['status', 'database'],
    ['size', 'database'],
    ['size', 'database', 'usage'],
    // How much space it has.
    ['size', 'database', 'usage', 'file', 'cost'],
  ],
  unless: ['domain', 'mobile', 'change', 'advice', 'fail', 'how', 'slow'],
  async *answer(turn): Answer {
    const isOfDatabase = turn.asked.concepts.has('database');
    const { project } = isOfDatabase ? { project: undefined } : yield* findProject(turn);
    const found = project ? undefined : yield* findDatabase(turn);
    const database = isOfDatabase ? found?.database : found?.named;
    if (database) return yield* databaseStatus(turn, database);
    if (!project) return yield* overview(turn);
    const [latest] = yield* read(turn, ['deployments', 'list'], { id: project.id, limit: 1 });
    if (!latest) return `${bold(project.name)} was never deployed. Its **Deploy** button does that.`;
    return paragraphs(
      `${bold(project.name)}: its last deployment is **${latest.status}**${latest.step && latest.status !== 'running' ? ` at the step ${latest.step}` : ''}.`,
      latest.error ? plain(latest.error) : '',
      project.liveDeploymentId ? `It answers at ${code(project.url)}.` : 'Nothing answers at its address.',
    );
  },
};

async function* databaseStatus(turn: LocalTurn, { id, name, status: state, error }: ManagedDatabase): Answer {
  if (state !== 'available') return `${bold(name)} is **${state}**. ${plain(error)}`.trim();
  const usage = yield* read(turn, ['databases', 'usage'], { id });
  return `${bold(name)} is **available**: ${byteSize(usage.size)} of ${byteSize(usage.sizeLimit)} used, ${usage.connections} of ${usage.connectionLimit} connections open.`;
}

async function* overview(turn: LocalTurn): Answer {
  const concept = turn.scope === 'database' || turn.asked.concepts.has('database') ? 'database' : 'project';
  const kind = KINDS.find((one) => one.concept === concept);
  return kind ? yield* listKind(turn, kind) : '';
}
