import type { ManagedDatabase } from '@nephos/contracts';
import { findDatabase, typeNamed } from '../find-database.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, paragraphs } from '../markdown.ts';

/** Our own MariaDB refuses `LOAD DATA LOCAL`, hence statements. An empty field is NULL, as PostgreSQL has it. */
const CSV_TO_SQL = `import csv, sys

table = 'orders'
with open('orders.csv', newline='', encoding='utf-8') as file:
    rows = csv.reader(file)
    columns = ', '.join(f'\`{name}\`' for name in next(rows))
    print('start transaction;')
    for row in rows:
        texts = (field.replace('\\\\', '\\\\\\\\').replace("'", "''") for field in row)
        values = ', '.join(f"'{text}'" if text else 'null' for text in texts)
        print(f'insert into \`{table}\` ({columns}) values ({values});')
    print('commit;')`;

const STEPS: Readonly<Record<ManagedDatabase['type'], string>> = {
  postgresql: paragraphs(
    'The table has to be there, with columns of the names in the file’s first line:',
    block('sh', `psql "$DATABASE_URL" -c "\\copy orders from 'orders.csv' with (format csv, header match)"`),
    'It is one statement: either all lines are in, or, with the number of the faulty one, none. For some columns only, write `orders (id, total)`.',
  ),
  mysql: paragraphs(
    'The table has to be there. `LOAD DATA LOCAL` is switched off at a server that Nephos runs itself, so make statements of the lines, for example with this `csv-to-sql.py`:',
    block('python', CSV_TO_SQL),
    block(
      'sh',
      'python3 csv-to-sql.py > orders.sql\nmysql --protocol=tcp --host=<host> --port=<port> --user=<user> --password --default-character-set=utf8mb4 <database> < orders.sql',
    ),
  ),
  mongodb: paragraphs(
    'The first line of the file names the fields:',
    block(
      'sh',
      'mongoimport --uri="$DATABASE_URL" --collection=orders --type=csv --headerline --file=orders.csv',
    ),
  ),
};

export const importCsv: Intent = {
  name: 'import-csv',
  example: 'How do I import a CSV file into my database?',
  scopes: ['database'],
  about: ['database'],
  takesDetails: true,
  matches: [
    ['csv'],
    ['csv', 'database'],
    ['csv', 'table'],
    ['csv', 'file'],
    ['how', 'csv'],
    ['how', 'csv', 'database'],
    ['how', 'csv', 'file', 'database'],
    ['csv', 'table', 'database'],
    ['how', 'csv', 'table', 'database'],
    ['how', 'csv', 'file', 'table', 'database'],
  ],
  unless: ['backup', 'fail', 'git', 'image', 'mobile', 'money', 'cost'],
  async *answer(turn): Answer {
    const { database } = yield* findDatabase(turn);
    const type = typeNamed(turn.asked) ?? database?.type ?? 'postgresql';
    return paragraphs(
      `The console has no import; the client of ${type} brings a file into ${database ? bold(database.name) : 'a database'} from your own machine.`,
      STEPS[type],
      'The connection string is in **View Connection String**; I never see it.',
    );
  },
};
