import type { ManagedDatabase } from '@nephos/contracts';
import { findDatabase, typeNamed } from '../find-database.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, bullets, paragraphs } from '../markdown.ts';

const PASTE = 'read -rs DATABASE_URL && export DATABASE_URL   # paste the connection string, press Enter';

const CLIENTS: Readonly<Record<ManagedDatabase['type'], string>> = {
  postgresql: `${PASTE}\npsql "$DATABASE_URL"`,
  mysql: 'mysql --protocol=tcp --host=<host> --port=<port> --user=<user> --password <database>',
  mongodb: `${PASTE}\nmongosh "$DATABASE_URL"`,
};

const REVEAL =
  'The address, user and password are on the database’s page: **View Connection String**, then **Reveal** or **Copy**. I never see them.';

export const connectDatabase: Intent = {
  name: 'connect-database',
  example: 'How do I connect to my database?',
  scopes: ['database'],
  about: ['database'],
  matches: [
    ['connect', 'database'],
    ['password', 'database'],
    ['how', 'database', 'connect'],
    ['password', 'connect'],
  ],
  matchesInScope: [['connect'], ['password'], ['how', 'connect']],
  matchesShort: [['password']],
  unless: ['backup', 'mobile', 'domain', 'kubernetes', 'change'],
  async *answer(turn): Answer {
    const { databases, database } = yield* findDatabase(turn);
    const type = database?.type ?? typeNamed(turn.asked);
    if (database && database.status !== 'available') {
      return `${bold(database.name)} is ${database.status}, so nothing can connect to it yet. ${database.error}`.trim();
    }
    if (type) {
      const name = database ? bold(database.name) : `a ${type} database`;
      return paragraphs(
        `Connect to ${name} (${type}) with its own client:`,
        block('sh', CLIENTS[type]),
        REVEAL,
        'For an app of yours, put the connection string into the project’s variable `DATABASE_URL` (**Environment**).',
      );
    }
    if (databases.length === 0) {
      return paragraphs(
        'You have no databases yet. Make one with **New Database** on **Databases**; then:',
        REVEAL,
      );
    }
    return paragraphs(
      'Which one? Ask for it by its name:',
      bullets(databases.map(({ name, type: kind }) => `${bold(name)} (${kind})`)),
      REVEAL,
    );
  },
};
