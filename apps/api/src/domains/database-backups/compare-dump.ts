import { countOf } from '../../core/count-of.ts';
import type { Finding } from './finding.ts';

type Rows = ReadonlyMap<string, number>;

/**
 * Whether a restored dump has as many rows in each table as there were when it was made: in those of `original`, to which
 * nothing was written meanwhile. Of the others nothing is known; null: of none.
 */
export function compareDump(restored: Rows, original: Rows | null): Finding {
  for (const [name, count] of original ?? []) {
    const has = restored.get(name);
    if (has === undefined) return { succeeded: false, detail: `The table ${name} is missing.` };
    if (has !== count) {
      const detail = `The table ${name} has ${countOf(has, 'row')} in place of ${countOf(count, 'row')}.`;
      return { succeeded: false, detail };
    }
  }
  const rows = [...restored.values()].reduce((sum, count) => sum + count, 0);
  const found = `${countOf(restored.size, 'table')} with ${countOf(rows, 'row')} restored, and checked by the server`;
  if (!original) return { succeeded: true, detail: `${found}. What was written since is not compared.` };
  const uncompared = restored.size - original.size;
  return {
    succeeded: true,
    detail:
      uncompared <= 0
        ? `${found}: as many rows as when the backup was made.`
        : `${found}. The rows of ${countOf(uncompared, 'table')} are not compared: something was written there while the backup was made.`,
  };
}
