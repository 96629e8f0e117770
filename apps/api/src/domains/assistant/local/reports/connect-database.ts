import type { ManagedDatabase } from '@nephos/contracts';
import { findDatabase, onlyOne } from './find.ts';
import { block, bold, bullets, paragraphs, plain } from './markdown.ts';
import type { Topic } from './report.ts';

type DatabaseType = ManagedDatabase['type'];

const PASTE = 'read -rs DATABASE_URL && export DATABASE_URL   # paste the connection string, press Enter';

const CLIENTS: Readonly<Record<DatabaseType, string>> = {
  postgresql: `${PASTE}\npsql "$DATABASE_URL"`,
  mysql: 'mysql --protocol=tcp --host=<host> --port=<port> --user=<user> --password <database>',
  mongodb: `${PASTE}\nmongosh "$DATABASE_URL"`,
  redis: `${PASTE}\nredis-cli -u "$DATABASE_URL"`,
};

const NAMES: Readonly<Record<DatabaseType, RegExp>> = {
  postgresql: /^(?:postgres|psql|pgsql)/,
  mysql: /^(?:mysql|mariadb)/,
  mongodb: /^mongo/,
  redis: /^(?:redis|valkey)/,
};
const TYPES: readonly DatabaseType[] = ['postgresql', 'mysql', 'mongodb', 'redis'];

const REVEAL =
  'The host, user and password are under **View Connection String** on the card of the database, and on its page. Choose **Reveal** to show the password. I never see them.';

const DATABASE = 'database*|db|postgres*|psql|mysql|mariadb|mongo*|redis|valkey';

export const connectDatabase: Topic = {
  name: 'connect-database',
  example: 'How do I connect to my database?',
  scopes: ['database'],
  keywords: [`connect*|access|reach|password|credentials|client ${DATABASE}`, 'connection string'],
  keywordsInScope: ['connect*|password|credentials'],
  async *answer(turn) {
    const { newest, named } = yield* findDatabase(turn);
    const asked = TYPES.find((type) => turn.words.some((word) => NAMES[type].test(word)));
    const ofType = asked ? newest.rows.filter(({ type }) => type === asked) : newest.rows;
    const database = named ?? onlyOne({ rows: ofType, isAll: newest.isAll });
    const type = database?.type ?? asked;
    if (database && database.status !== 'available') {
      return `${bold(database.name)} is ${database.status}, so nothing can connect to it yet. ${plain(database.error)}`.trim();
    }
    if (type) {
      return paragraphs(
        `Connect to ${database ? bold(database.name) : 'it'} (${type}) with its own client:`,
        block('sh', CLIENTS[type]),
        REVEAL,
        'For an app, set the connection string as `DATABASE_URL` on the project’s **Environment** tab.',
      );
    }
    if (newest.rows.length === 0) {
      return paragraphs(
        'You have no databases yet. Create one with **New Database** on **Databases**.',
        REVEAL,
      );
    }
    return paragraphs(
      'Which one? Ask about it by name:',
      bullets(newest.rows.map((row) => `${bold(row.name)} (${row.type})`)),
      REVEAL,
    );
  },
};
