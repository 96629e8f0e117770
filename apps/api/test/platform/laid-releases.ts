import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../tools/process.mjs';

const PACKAGES = ['apps/api', 'packages/db', 'packages/contracts'];
const SERVER = 'apps/api/src/server.ts';
const READY = 'readiness.begun();';

/** Changes the release in that folder. */
export type Change = (folder: string) => void;

/** This tree under another version and with changes, as a release that was laid out and needs nothing any more. Its folder. */
export function layRelease(home: string, version: string, ...changes: readonly Change[]): string {
  const folder = join(home, 'releases', version);
  for (const name of PACKAGES) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !/\/(test|bench|dist)$/.test(source),
    });
  }
  mkdirSync(join(folder, 'apps/web'), { recursive: true });
  symlinkSync(join(root, 'apps/web/dist'), join(folder, 'apps/web/dist'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version, type: 'module' }));
  for (const change of changes) change(folder);
  return folder;
}

export function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not have ${from}`);
  writeFileSync(file, text.replace(from, to));
}

export const addMigration: Change = (folder) => {
  const migrations = join(folder, 'packages/db/src/migrations');
  const text = `import { sql } from 'kysely';
export const up = async (db) => void (await sql\`create table newer ()\`.execute(db));\n`;
  writeFileSync(join(migrations, '9001-newer.js'), text);
  const list = join(migrations, 'list.ts');
  edit(list, 'import type', `import * as newer from './9001-newer.js';\nimport type`);
  edit(list, '\n};', `\n  '9001-newer': newer,\n};`);
};

export const neverReady: Change = (folder) => edit(join(folder, SERVER), READY, '');

export const diesOfItsWork: Change = (folder) =>
  edit(join(folder, SERVER), READY, `${READY} setTimeout(() => process.exit(1), 3000);`);

/** Does that, again and again, once it is the version that serves, and not while it is on trial. */
const onceItServes =
  (statement: string): Change =>
  (folder) =>
    edit(
      join(folder, SERVER),
      READY,
      `${READY}
    const current = () => process.getBuiltinModule('fs').readlinkSync(process.env.NEPHOS_HOME + '/current');
    setInterval(() => { if (process.cwd().endsWith(current())) ${statement}; }, 100);`,
    );

export const diesOnceItServes = onceItServes('process.exit(1)');
export const hangsOnceItServes = onceItServes('for (;;)');
