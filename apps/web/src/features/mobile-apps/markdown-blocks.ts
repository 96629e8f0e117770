/** A piece of a Markdown text, as far as our own instructions use it. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; code: string }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] };

const HEADING = /^(#{1,6}) +(.*)$/;
const FENCE = /^(`{3,}|~{3,})/;
const ITEM = /^(?:[-*]|(\d{1,9})\.) +/;

/**
 * Headings, paragraphs, fenced code and lists whose items hold blocks of their own. All else is text: nothing in it is
 * ever markup.
 */
export function parseBlocks(text: string): Block[] {
  return blocksOf(text.replaceAll('\r\n', '\n').split('\n'));
}

function blocksOf(source: readonly string[]): Block[] {
  const lines = [...source];
  const blocks: Block[] = [];
  for (let line = lines[0]; line !== undefined; line = lines[0]) {
    if (line.trim() === '') lines.shift();
    else blocks.push(takeBlock(line, lines));
  }
  return blocks;
}

function takeBlock(line: string, lines: string[]): Block {
  const heading = HEADING.exec(line);
  if (heading) {
    lines.shift();
    return { kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' };
  }
  const fence = FENCE.exec(line)?.[1];
  if (fence) return takeCode(fence, lines);
  const item = ITEM.exec(line);
  if (item) return takeList(item, lines);
  return { kind: 'paragraph', text: takeParagraph(lines) };
}

function takeCode(fence: string, lines: string[]): Block {
  lines.shift();
  const end = lines.findIndex((line) => line.startsWith(fence));
  const code = lines.splice(0, end === -1 ? lines.length : end);
  lines.shift();
  return { kind: 'code', code: code.join('\n') };
}

function takeParagraph(lines: string[]): string {
  const words = [lines.shift()?.trim() ?? ''];
  for (let line = lines[0]; line !== undefined && continues(line); line = lines[0]) {
    words.push(line.trim());
    lines.shift();
  }
  return words.join(' ');
}

function continues(line: string): boolean {
  return line.trim() !== '' && !HEADING.test(line) && !FENCE.test(line) && !ITEM.test(line);
}

function takeList(first: RegExpExecArray, lines: string[]): Block {
  const ordered = first[1] !== undefined;
  const items: Block[][] = [];
  for (let item = first as RegExpExecArray | null; item; item = ITEM.exec(lines[0] ?? '')) {
    if ((item[1] !== undefined) !== ordered) break;
    items.push(blocksOf(takeItem(item[0].length, lines)));
  }
  return { kind: 'list', ordered, start: Number(first[1] ?? 1), items };
}

/** The lines of an item without their indent: what is indented as far as its text, and what continues its text. */
function takeItem(indent: number, lines: string[]): string[] {
  const taken = [lines.shift()?.slice(indent) ?? ''];
  for (let line = lines[0]; line !== undefined; line = lines[0]) {
    const inside = line.search(/\S/) >= 2;
    const before = taken.at(-1) ?? '';
    if (line.trim() !== '' && !inside && (before.trim() === '' || !continues(line))) break;
    taken.push(line.trim() === '' ? '' : line.slice(Math.min(indent, line.search(/\S/))));
    lines.shift();
  }
  return taken;
}
