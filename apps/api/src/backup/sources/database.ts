import type { Snapshot } from '@nephos/db';
import type { Copying } from './copying.ts';

export const DATABASE_PART = 'database';

const NEWLINE = 0x0a;

/** Takes every table of our own database, as COPY writes it. */
export function copyDatabase(copying: Copying, snapshot: Snapshot): Promise<void> {
  return copying.part(DATABASE_PART, async (part) => {
    for (const shape of snapshot.tables) {
      const entry = { kind: 'table' as const, path: shape.name, columns: shape.columns, rows: 0, at: [] };
      await part.add(entry, countingLines(snapshot.rows(shape), entry));
    }
  });
}

/** COPY ends each row with a newline, and writes those within a value otherwise. */
async function* countingLines(
  source: AsyncIterable<Uint8Array>,
  entry: { rows: number },
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) entry.rows += 1;
    yield piece;
  }
}
