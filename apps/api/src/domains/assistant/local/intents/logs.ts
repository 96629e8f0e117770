import { findProject, latestOf } from '../find-project.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, paragraphs } from '../markdown.ts';
import { read } from '../read.ts';

const LINES = 30;

export const logs: Intent = {
  name: 'logs',
  example: 'Show me the last lines of the log of my-app',
  scopes: ['general', 'kubernetes'],
  about: ['project'],
  matches: [['log'], ['log', 'project'], ['log', 'deploy'], ['list', 'log'], ['log', 'last']],
  unless: ['advice', 'account'],
  async *answer(turn): Answer {
    const { projects, project: named } = yield* findProject(turn);
    const project = named ?? latestOf(projects);
    if (!project) return 'You have no projects yet, so there is no log.';
    if (!project.latestDeployment) return `${bold(project.name)} was never deployed, so it has no log.`;
    const { text } = yield* read(turn, ['deployments', 'logTail'], {
      id: project.latestDeployment.id,
      lines: LINES,
    });
    return paragraphs(
      `The log of the last deployment of ${bold(project.name)} (${project.latestDeployment.status})${text ? ' ends with:' : ' is empty.'}`,
      text && block('text', text),
      'The whole log is on the project’s **Log** tab, and at `GET /api/deployments/{id}/log`.',
    );
  },
};
