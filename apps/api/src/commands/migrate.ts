import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDb, createPool, migrate as migrateSchema } from '@nephos/db';
import { addressOfRunning } from '@nephos/db/embedded';
import { readSettings } from '../core/env.ts';
import type { Command } from './command.ts';

export const migrate: Command = {
  summary: 'brings the database up to date with this version, while the one before serves',
  usage: '',
  async run(args) {
    parseArgs({ args: [...args] });
    const { databaseUrl, dataDir } = readSettings(process.env);
    const url = databaseUrl ?? (await addressOfRunning(join(dataDir, 'pg')));
    if (!url) {
      process.stdout.write('The database does not run: the next start brings it up to date.\n');
      return 0;
    }
    const db = createDb(createPool({ url, max: 1 }));
    try {
      await migrateSchema(db);
    } finally {
      await db.destroy();
    }
    return 0;
  },
};
