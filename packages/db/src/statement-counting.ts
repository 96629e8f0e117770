import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Binaries } from './embedded-binaries.ts';

const LIBRARY = 'pg_stat_statements';

/**
 * What makes a server count its statements, without the values in them and without commands such as `alter role`, which
 * hold passwords. Empty where the installation lacks the library: no server would start with it.
 */
export function statementCounting({ postgres }: Binaries): Record<string, string | number> {
  const libraries = join(dirname(dirname(postgres)), 'lib', 'postgresql');
  if (!readdirSync(libraries).some((file) => file.startsWith(`${LIBRARY}.`))) return {};
  return {
    shared_preload_libraries: LIBRARY,
    // Each takes some hundred bytes of every server.
    'pg_stat_statements.max': 1000,
    'pg_stat_statements.track_utility': 'off',
  };
}
