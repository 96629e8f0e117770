/** A piece of a Markdown text that can be laid out by itself. */
export type AnswerBlock =
  | { kind: 'prose'; text: string }
  /** `language` in lower case, '' where it says none. */
  | { kind: 'code'; language: string; code: string };

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const INNER_FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/**
 * Cuts an answer where its blocks end, so that what is finished stays as it is while the rest is being written: at its
 * fences and at empty lines, except within lists. Where it cuts too seldom, nothing changes but the work.
 */
export function splitAnswer(text: string): AnswerBlock[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: AnswerBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    const fence = FENCE.exec(lines[at] ?? '');
    const end = fence ? endOfCode(lines, at, fence[2] ?? '') : endOfProse(lines, at);
    const block = fence ? codeOf(lines.slice(at + 1, end), fence) : proseOf(lines.slice(at, end));
    if (block) blocks.push(block);
    // The closing fence is none of the code.
    at = fence ? end + 1 : end;
  }
  return blocks;
}

function codeOf(lines: readonly string[], [, indent = '', , language = '']: RegExpExecArray): AnswerBlock {
  const inside = new RegExp(`^ {0,${indent.length}}`);
  const code = lines.map((line) => line.replace(inside, '')).join('\n');
  return { kind: 'code', language: language.toLowerCase(), code };
}

function proseOf(lines: readonly string[]): AnswerBlock | undefined {
  const text = lines.join('\n').trimEnd();
  return text === '' ? undefined : { kind: 'prose', text };
}

/** The line of the closing fence, or that after the last. */
function endOfCode(lines: readonly string[], start: number, opening: string): number {
  const closing = new RegExp(`^ {0,3}\\${opening[0]}{${opening.length},}\\s*$`);
  const end = lines.findIndex((line, index) => index > start && closing.test(line));
  return end === -1 ? lines.length : end;
}

/** The line after a paragraph, a table, a heading, a quotation or a whole list. */
function endOfProse(lines: readonly string[], start: number): number {
  let list = ITEM.test(lines[start] ?? '');
  let fence = '';
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const mark = INNER_FENCE.exec(line)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence)) fence = '';
    } else if (mark && !(list && /^\s/.test(line))) return at;
    else if (mark) fence = mark;
    else if (lines[at - 1]?.trim() === '' && begins(line, list)) return at;
    // A list may follow its introduction at once.
    else if (ITEM.test(line)) list = true;
  }
  return lines.length;
}

/** Whether a line after an empty one begins another block. */
function begins(line: string, list: boolean): boolean {
  if (line.trim() === '') return false;
  return list ? !(ITEM.test(line) || /^\s/.test(line)) : !/^(?: {4}|\t)/.test(line);
}
