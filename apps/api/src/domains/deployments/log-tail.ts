import { stripVTControlCharacters } from 'node:util';
import type { UserContext } from '../../core/context.ts';
import { findDeployment } from './service.ts';

/** Pieces read at a time, the last ones first; a piece has at most 16 Ki characters. */
const PAGE_PIECES = 20;
/** Above every `seq`, a 32-bit integer. */
const NO_SEQ = 2 ** 31 - 1;
/** UTF-16 units after which a tail has no earlier lines, however few it has: somebody logs without newlines. */
const MAX_LENGTH = 256 * 1024;

/** The last lines of a deployment's stored log, without ANSI sequences and without a final newline. */
export async function readLogTail(
  { db, ownerId }: UserContext,
  { id, lines }: { id: string; lines: number },
): Promise<{ text: string }> {
  await findDeployment(db, ownerId, id);
  let text = '';
  let before = NO_SEQ;
  for (;;) {
    const pieces = await db
      .selectFrom('deploymentLog')
      .select(['seq', 'text'])
      .where('deploymentId', '=', id)
      .where('seq', '<', before)
      .orderBy('seq', 'desc')
      .limit(PAGE_PIECES)
      .execute();
    for (const piece of pieces) text = piece.text + text;
    before = pieces.at(-1)?.seq ?? 0;
    const isWhole = pieces.length < PAGE_PIECES;
    if (isWhole || text.length > MAX_LENGTH || countLines(text) > lines) {
      return { text: lastLines(text, lines) };
    }
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/** A terminal shows of a line that was written over by carriage returns only what came last. */
function lastLines(text: string, lines: number): string {
  return stripVTControlCharacters(text.slice(-MAX_LENGTH))
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .slice(-lines)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}
