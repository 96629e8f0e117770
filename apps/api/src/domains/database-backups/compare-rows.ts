import { countOf } from '../../core/count-of.ts';
import type { RowCounts } from '../databases/engines/postgres/proof/check-contents.ts';
import type { Finding } from './finding.ts';

/**
 * Whether a restored database has as many rows in each table as the original; null where that was written to meanwhile,
 * so that the two cannot be the same.
 */
export function compareRows(restored: RowCounts, original: RowCounts | null): Finding {
  const rows = [...restored.values()].reduce((sum, count) => sum + count, 0);
  const found = `${countOf(restored.size, 'table')} with ${countOf(rows, 'row')} restored, without damage`;
  if (!original) {
    return {
      succeeded: true,
      detail: `${found}. The database was being written to, so its rows were not compared.`,
    };
  }
  for (const [name, count] of original) {
    const has = restored.get(name);
    if (has === undefined) return { succeeded: false, detail: `The table ${name} is missing.` };
    if (has !== count) {
      const detail = `The table ${name} has ${countOf(has, 'row')} in place of ${countOf(count, 'row')}.`;
      return { succeeded: false, detail };
    }
  }
  if (restored.size > original.size) {
    return { succeeded: false, detail: 'There are tables in it that the database does not have.' };
  }
  return { succeeded: true, detail: `${found}, and as many as in the database.` };
}
