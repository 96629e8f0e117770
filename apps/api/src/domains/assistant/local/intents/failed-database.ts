import type { Answer, Intent } from '../intent.ts';
import { bold, bullets, paragraphs, plain } from '../markdown.ts';
import { readNewest } from '../read.ts';

export const failedDatabase: Intent = {
  name: 'failed-database',
  example: 'Why did my database fail?',
  scopes: ['database'],
  about: ['database'],
  matches: [['fail', 'database']],
  matchesInScope: [['fail']],
  matchesShort: [['why', 'database']],
  unless: ['deploy', 'connect'],
  async *answer(turn): Answer {
    const { rows: databases } = yield* readNewest(turn, 'databases');
    const failed = databases.filter(({ status }) => status === 'failed');
    if (databases.length === 0) return 'You have no databases yet, so none failed.';
    if (failed.length > 0) {
      return paragraphs(
        'These could not be made:',
        bullets(failed.map(({ name, error }) => `${bold(name)}: ${plain(error)}`)),
        '**Retry** on the database’s page tries again.',
      );
    }
    const waiting = databases.filter(({ status }) => status === 'creating');
    return waiting.length > 0
      ? `None of your databases failed; being made: ${waiting.map(({ name }) => bold(name)).join(', ')}.`
      : 'None of your databases failed: all are available. Ask me how to connect to one if a client is refused.';
  },
};
