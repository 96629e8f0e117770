import { contract } from '@nephos/contracts';
import { writes } from '@nephos/contracts/kit';
import type { Plugin } from 'vite';

const NAME = 'virtual:needs';

/**
 * What each write of the contract needs of its caller, without the contract, whose validation the console does not load:
 * `import { needs } from 'virtual:needs'`. Most need to build, and are left out.
 */
export function needs(): Plugin {
  const unusual = Object.entries(contract).flatMap(([domain, table]) =>
    Object.entries(table)
      .filter(([, row]) => writes(row) && row.needs !== 'build')
      .map(([name, row]) => [`${domain}.${name}`, row.needs]),
  );
  return {
    name: 'needs',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}` ? `export const needs = ${JSON.stringify(Object.fromEntries(unusual))};` : null,
  };
}
