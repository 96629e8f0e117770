import type { Piece } from './pieces.ts';

/** A comment, which readers of events skip: it says at once, and again while nothing is written, that we are there. */
const COMMENT = ':\n\n';

/** A reply in the format of specification §7: one `data:` line of JSON for each piece of text, `[DONE]` at the end. */
export async function* chatLines(pieces: AsyncIterable<Piece | 'quiet'>): AsyncGenerator<string> {
  yield COMMENT;
  for await (const piece of pieces) yield piece === 'quiet' ? COMMENT : linesOf(piece);
  yield 'data: [DONE]\n\n';
}

function linesOf({ event }: Piece): string {
  if (event.type === 'text') return lineOf({ content: event.text });
  return event.type === 'done' && event.error !== '' ? lineOf({ content: '', error: event.error }) : '';
}

function lineOf(message: { content: string; error?: string }): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}
