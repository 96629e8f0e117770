import type { AnsiSpan } from './ansi.ts';

export interface MarkedSpan extends AnsiSpan {
  marked: boolean;
}

/** Cuts a line's spans so that each match of `search`, which is lower-case, is whole spans of its own, marked. */
export function markMatches(spans: readonly AnsiSpan[], search: string): MarkedSpan[] {
  if (search === '') return spans.map((span) => ({ ...span, marked: false }));
  const starts = matchesOf(
    search,
    spans
      .map((span) => span.text)
      .join('')
      .toLowerCase(),
  );
  const cuts = starts.flatMap((start) => [start, start + search.length]);
  let begin = 0;
  return spans.flatMap((span) => {
    const end = begin + span.text.length;
    const edges = [begin, ...cuts.filter((cut) => cut > begin && cut < end), end];
    const pieces = edges.slice(1).map((to, index) => {
      const from = edges[index] ?? begin;
      const marked = starts.some((start) => from >= start && to <= start + search.length);
      return { ...span, text: span.text.slice(from - begin, to - begin), marked };
    });
    begin = end;
    return pieces;
  });
}

function matchesOf(search: string, text: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) starts.push(at);
  return starts;
}
