import type { ManagedDatabase } from '@nephos/contracts';
import { findDatabase, typeNamed } from '../find-database.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, bullets, paragraphs } from '../markdown.ts';

interface Commands {
  save: string;
  restore: string;
}

const MYSQL = '--protocol=tcp --host=<host> --port=<port> --user=<user> --password';

const COMMANDS: Readonly<Record<ManagedDatabase['type'], Commands>> = {
  postgresql: {
    save: 'pg_dump --format=custom --no-owner --file=backup.dump "$DATABASE_URL"',
    restore:
      'pg_restore --clean --if-exists --no-owner --single-transaction --dbname="$DATABASE_URL" backup.dump',
  },
  mysql: {
    save: `mysqldump ${MYSQL} --single-transaction --routines --triggers --no-tablespaces <database> > backup.sql`,
    restore: `mysql ${MYSQL} <database> < backup.sql`,
  },
  mongodb: {
    save: 'mongodump --uri="$DATABASE_URL" --archive=backup.gz --gzip',
    restore: 'mongorestore --uri="$DATABASE_URL" --archive=backup.gz --gzip --drop',
  },
};

export const backupDatabase: Intent = {
  name: 'backup-database',
  example: 'How do I back up my database, and restore it?',
  scopes: ['database'],
  about: ['database'],
  matches: [
    ['backup', 'database'],
    ['backup', 'table'],
    ['how', 'backup', 'database'],
    ['csv', 'backup', 'database'],
  ],
  matchesInScope: [['backup']],
  matchesShort: [['backup']],
  async *answer(turn): Answer {
    const { database } = yield* findDatabase(turn);
    const type = typeNamed(turn.asked) ?? database?.type ?? 'postgresql';
    const { save, restore } = COMMANDS[type];
    return paragraphs(
      `Save ${database ? bold(database.name) : 'a database'} (${type}) to a file:`,
      block('sh', save),
      'Bring it back, over what is there then:',
      block('sh', restore),
      'Try that with a new database first: its connection string in the place of the old one. Put the connection string (**View Connection String**) into `DATABASE_URL`; a dump tool must not be older than the server.',
      'Nephos makes no backups of databases on its own: let your own machine run the first command every night.',
    );
  },
};

export const backupOthers: Intent = {
  name: 'backup-others',
  example: 'How do I back up my apps and files?',
  scopes: ['general'],
  matches: [
    ['backup', 'project'],
    ['backup', 'file'],
    ['backup', 'image'],
    ['backup', 'have'],
    ['how', 'backup', 'project'],
    ['how', 'backup', 'project', 'file'],
    ['how', 'backup', 'file'],
    ['how', 'backup', 'image'],
    ['how', 'backup', 'have'],
  ],
  unless: ['database', 'table', 'mobile'],
  // biome-ignore lint/correctness/useYield: an answer that needs no tool
  async *answer(): Answer {
    return paragraphs(
      'Nephos makes no backups on its own. Of what you have,',
      bullets([
        'an app is in its repository; keep the values of its variables elsewhere too, since they are never shown again',
        'files are downloaded on **Storage**, or with an access token at `GET /api/storage/{id}/download`',
        'images are pulled like any other: `docker pull`, then `docker save`',
        'of a database, ask me: **How do I back up my database, and restore it?**',
      ]),
      'Whoever runs this server backs up everything at once: the database of `DATABASE_URL` and the folder `DATA_DIR`, while Nephos is stopped, with the key that encrypts secrets.',
    );
  },
};
