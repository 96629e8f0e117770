import { latestOf } from './failure.ts';
import { findProject } from './find.ts';
import { block, bold, paragraphs } from './markdown.ts';
import { read } from './read.ts';
import type { Topic } from './report.ts';

const LINES = 30;

export const logs: Topic = {
  name: 'logs',
  example: 'Show me the end of the my-app log',
  scopes: ['general'],
  keywords: ['log|logs|stdout|stderr'],
  async *answer(turn) {
    const { newest, named } = yield* findProject(turn);
    const project = named ?? latestOf(newest.rows);
    if (!project) return 'You have no projects yet, so there are no logs.';
    const { name, latestDeployment } = project;
    if (!latestDeployment) return `${bold(name)} hasn’t been deployed yet, so it has no log.`;
    const { id, status } = latestDeployment;
    const { text } = yield* read(turn, ['deployments', 'logTail'], { id, lines: LINES });
    return paragraphs(
      `The log of the last deployment of ${bold(name)} (${status})${text ? ' ends with:' : ' is empty.'}`,
      text && block('text', text),
      'The full log is behind **Build log** on the project’s page and at `GET /api/deployments/{id}/log`. What the app writes while it runs is on the **Logs** tab.',
    );
  },
};
