import type { ManagedDatabase, Project } from '@nephos/contracts';
import { byteSize } from '../../../../platform/byte-size.ts';
import { findDatabase, findProject, onlyOne } from './find.ts';
import { inventory } from './inventory.ts';
import { bold, code, paragraphs, plain } from './markdown.ts';
import { read } from './read.ts';
import type { Answer, LocalTurn, Topic } from './report.ts';

export const status: Topic = {
  name: 'status',
  example: 'What is the status of my-app?',
  scopes: ['general'],
  keywords: [
    'status',
    'is|are running|up|online|alive|healthy|ready|available|live',
    'how is|are doing',
    'how big|large|full|much database*|db|it|space',
    'where|what|which url|address|link',
    'where|reach|open|visit app|site|website|project',
  ],
  keywordsInScope: ['how|is big|large|full'],
  async *answer(turn) {
    const { named: project } = yield* findProject(turn);
    if (project) return yield* projectStatus(turn, project);
    const { named: database, newest } = yield* findDatabase(turn);
    const isAboutDatabase =
      turn.scope === 'database' || turn.words.some((word) => /^(?:database|db)/.test(word));
    const found = database ?? (isAboutDatabase ? onlyOne(newest) : undefined);
    return found ? yield* databaseStatus(turn, found) : yield* inventory.answer(turn);
  },
};

async function* projectStatus(turn: LocalTurn, project: Project): Answer {
  const [latest] = yield* read(turn, ['deployments', 'list'], { id: project.id, limit: 1 });
  if (!latest) return `${bold(project.name)} hasn’t been deployed yet. Choose **Deploy** on its page.`;
  const step = latest.step && latest.status !== 'running' ? ` at the ${latest.step} step` : '';
  return paragraphs(
    `${bold(project.name)}: its last deployment is **${latest.status}**${step}.`,
    latest.error ? plain(latest.error) : '',
    project.liveDeploymentId
      ? `It is running at ${code(project.url)}.`
      : `Nothing is running at ${code(project.url)} yet.`,
  );
}

async function* databaseStatus(turn: LocalTurn, { id, name, status: state, error }: ManagedDatabase): Answer {
  if (state !== 'available') return `${bold(name)} is **${state}**. ${plain(error)}`.trim();
  const usage = yield* read(turn, ['databases', 'usage'], { id });
  return `${bold(name)} is **available**: ${byteSize(usage.size)} of ${byteSize(usage.sizeLimit)} used, ${usage.connections} of ${usage.connectionLimit} connections open.`;
}
