// A console whose calls leave no record of who did what: those that leave one are measured against it.
import { registerHooks } from 'node:module';

const FILE = '/src/http/call-audit.ts';
const CONDITION = '!writes(call.row) || call.row.changesNothing';

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith(FILE)) return loaded;
    const source = String(loaded.source);
    if (!source.includes(CONDITION))
      throw new Error(`${FILE} has no condition under which nothing is recorded`);
    return { ...loaded, source: source.replace(CONDITION, 'true') };
  },
});

await import('../src/main.ts');
