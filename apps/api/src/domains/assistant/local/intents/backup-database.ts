import type { ManagedDatabase } from '@nephos/contracts';
import { findDatabase, typeNamed } from '../find-database.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, paragraphs } from '../markdown.ts';

const COMMANDS: Readonly<Record<ManagedDatabase['type'], string>> = {
  postgresql: `pg_dump --format=custom --no-owner --file=backup.dump "$DATABASE_URL"
pg_restore --clean --if-exists --no-owner --dbname="$DATABASE_URL" backup.dump`,
  mysql: `mysqldump --protocol=tcp --host=<host> --port=<port> --user=<user> --password --single-transaction --routines --triggers --no-tablespaces <database> > backup.sql
mysql --protocol=tcp --host=<host> --port=<port> --user=<user> --password <database> < backup.sql`,
  mongodb: `mongodump --uri="$DATABASE_URL" --archive=backup.gz --gzip
mongorestore --uri="$DATABASE_URL" --archive=backup.gz --gzip --drop`,
};

export const backupDatabase: Intent = {
  name: 'backup-database',
  example: 'How do I back up my database?',
  scopes: ['database'],
  about: ['database'],
  matches: [
    ['backup', 'database'],
    ['backup', 'table'],
    ['how', 'backup', 'database'],
  ],
  matchesInScope: [['backup']],
  matchesShort: [['backup']],
  async *answer(turn): Answer {
    const { database } = yield* findDatabase(turn);
    const type = typeNamed(turn.asked) ?? database?.type ?? 'postgresql';
    return paragraphs(
      `Save ${database ? bold(database.name) : 'a database'} (${type}) to a file, and bring it back:`,
      block('sh', COMMANDS[type]),
      'The second command overwrites what is there. Put the connection string (**View Connection String**) into `DATABASE_URL` first; a dump tool must not be older than the server.',
    );
  },
};
