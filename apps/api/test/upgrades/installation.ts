import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';

/** What a version left of an installation: the rows of its tables, and the files of its data folder. */
export interface Installation {
  /** Names of the migrations that its schema was made by. */
  migrations: string[];
  secretsKey: string;
  /** An access token of Ada's that may write. */
  token: string;
  /** Rows as JSON, by table. */
  tables: Record<string, string>;
  /** Last values by sequence. */
  sequences: Record<string, string>;
  /** Contents in base64, by path. */
  files: Record<string, string>;
}

export function readInstallation(file: string): Installation {
  return JSON.parse(gunzipSync(readFileSync(file)).toString());
}

export function writeInstallation(file: string, installation: Installation): void {
  writeFileSync(file, gzipSync(JSON.stringify(installation), { level: 9 }));
}

const TABLES = `
  select quote_ident(relname) as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class c
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%' order by relname`;

/** Takes what lies in the database at `url` and in `folder`. */
export async function takeInstallation(
  url: string,
  { folder, secretsKey, token }: { folder: string; secretsKey: string; token: string },
): Promise<Installation> {
  return withDatabase(url, async (db) => {
    const tables: Record<string, string> = {};
    for (const { name, columns } of (await db.query(TABLES)).rows) {
      const { rows } = await db.query(
        `select jsonb_agg(to_jsonb(t))::text as text from (select ${columns} from ${name}) t`,
      );
      if (rows[0]?.text) tables[name] = rows[0].text;
    }
    const found = await db.query(
      `select quote_ident(sequencename) as name, last_value::text as value from pg_sequences
       where schemaname = 'public' and last_value is not null`,
    );
    const migrations = await db.query('select name from kysely_migration order by name');
    return {
      ...{ secretsKey, token },
      migrations: migrations.rows.map(({ name }) => name),
      tables,
      sequences: Object.fromEntries(found.rows.map(({ name, value }) => [name, value])),
      files: filesIn(folder),
    };
  });
}

/** Puts it into a database that has its schema and no rows, as a superuser, and into `folder`. */
export async function putInstallation(
  url: string,
  { folder, installation }: { folder: string; installation: Installation },
): Promise<void> {
  for (const [path, content] of Object.entries(installation.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, path), Buffer.from(content, 'base64'), { mode: 0o600 });
  }
  await withDatabase(url, async (db) => {
    const { rows } = await db.query(TABLES);
    await db.query('begin');
    // Rows come with what triggers made of them, and in any order.
    await db.query('set local session_replication_role = replica');
    for (const [name, text] of Object.entries(installation.tables)) {
      const columns = rows.find((table) => table.name === name)?.columns;
      await db.query(`delete from ${name}`);
      await db.query(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
        [text],
      );
    }
    for (const [name, value] of Object.entries(installation.sequences)) {
      await db.query('select setval($1::regclass, $2)', [name, value]);
    }
    await db.query('commit');
  });
}

async function withDatabase<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(files.map((path) => [relative(folder, path), readFileSync(path, 'base64')]));
}
