import { stripVTControlCharacters } from 'node:util';
import type { LogFilter, LogLine } from '@nephos/contracts';
import { type NewLine, openBlock } from './log-block.ts';

/** A stored block, as far as a search needs it. */
export interface StoredBlock {
  firstLine: number;
  packed: Buffer;
}

const ESCAPE = '\u001b';

/** Makes what finds the lines of a block that a filter asks for, oldest first. */
export function createMatcher(filter: Partial<LogFilter>): (block: StoredBlock) => Promise<LogLine[]> {
  const needle = filter.search?.toLowerCase() ?? '';
  const wanted = createFilter(filter);
  return async ({ firstLine, packed }) => {
    const block = await openBlock(packed);
    const found = needle === '' ? undefined : linesWith(block.texts, needle);
    if (found?.length === 0) return [];
    const lines = block.lines();
    const places = found ?? lines.keys();
    const matches: LogLine[] = [];
    for (const place of places) {
      const line = lines[place];
      if (line && wanted(line)) {
        matches.push({ ...line, line: firstLine + place, at: new Date(line.at).toISOString() });
      }
    }
    return matches;
  };
}

function createFilter({ process, instance, stream, since, until }: Partial<LogFilter>) {
  const from = since ? Date.parse(since) : Number.NEGATIVE_INFINITY;
  const to = until ? Date.parse(until) : Number.POSITIVE_INFINITY;
  return (line: NewLine) =>
    (process === undefined || line.process === process) &&
    (instance === undefined || line.instance === instance) &&
    (stream === undefined || line.stream === stream) &&
    line.at >= from &&
    line.at <= to;
}

/** Places of the lines that have the text, looked for in all of them at once: most blocks have none. */
function linesWith(texts: string, needle: string): number[] {
  // Colors between two letters are no reason not to find a word.
  const plain = texts.includes(ESCAPE) ? stripVTControlCharacters(texts) : texts;
  const haystack = plain.toLowerCase();
  const places: number[] = [];
  let place = 0;
  let start = 0;
  for (let at = haystack.indexOf(needle); at !== -1; ) {
    for (let end = haystack.indexOf('\n', start); end !== -1 && end < at; ) {
      place += 1;
      start = end + 1;
      end = haystack.indexOf('\n', start);
    }
    places.push(place);
    const end = haystack.indexOf('\n', at);
    if (end === -1) break;
    place += 1;
    start = end + 1;
    at = haystack.indexOf(needle, start);
  }
  return places;
}
