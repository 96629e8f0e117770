import { z } from 'zod';
import { S3Error } from './s3-error.ts';

/** Elements within one another: more than any call's document has. */
const DEEPEST = 16;
const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.-]*`;
const ATTRIBUTE = String.raw`\s+(?:${NAME}:)?${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
/**
 * An end, a beginning with its attributes, which no call reads, text, and what is passed over. A document type is none of
 * these: nobody needs entities of their own, with which a few bytes can stand for gigabytes.
 */
const TOKEN = new RegExp(
  String.raw`([^<]+)|</(?:${NAME}:)?(${NAME})\s*>|<(?:${NAME}:)?(${NAME})(?:${ATTRIBUTE})*\s*(/?)>|` +
    String.raw`<!\[CDATA\[([^]*?)\]\]>|<!--[^]*?-->|<\?[^]*?\?>`,
  'uy',
);
const ENTITY = /^#(\d{1,7})$|^#x([0-9a-f]{1,6})$/i;
const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));
/** Characters of the longest entity that there is. */
const LONGEST_ENTITY = 8;

/** An element while it is read: its text, or what is in it by name. */
interface Open {
  name: string;
  text: string;
  children: Record<string, unknown> | undefined;
}

function malformed(): S3Error {
  return new S3Error('MalformedXML');
}

function characterOf(entity: string): string {
  const named = ENTITIES.get(entity);
  if (named !== undefined) return named;
  const [, decimal, hex = ''] = ENTITY.exec(entity) ?? [];
  const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
  const isOne = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  if (!isOne) throw malformed();
  return String.fromCodePoint(code);
}

/** Text with its entities read; ends of lines are one character each, as XML has it. */
function textOf(raw: string): string {
  if (raw.includes('\0')) throw malformed();
  const text = raw.replace(/\r\n?/g, '\n');
  let read = '';
  for (let from = 0; ; ) {
    const at = text.indexOf('&', from);
    if (at < 0) return read + text.slice(from);
    const length = text.slice(at + 1, at + 2 + LONGEST_ENTITY).indexOf(';');
    if (length < 0) throw malformed();
    read += text.slice(from, at) + characterOf(text.slice(at + 1, at + 1 + length));
    from = at + length + 2;
  }
}

function put(parent: Open, name: string, value: unknown): void {
  // Without a prototype, whose names an element could have.
  parent.children ??= Object.create(null) as Record<string, unknown>;
  const former = parent.children[name];
  if (former === undefined) parent.children[name] = value;
  else if (Array.isArray(former)) former.push(value);
  else parent.children[name] = [former, value];
}

/** What is in a document, by the name of its root. Of an element with others in it the text is passed over. */
function read(document: string): Record<string, unknown> | undefined {
  const root: Open = { name: '', text: '', children: undefined };
  const path = [root];
  // Its place is this reading's own.
  const tokens = new RegExp(TOKEN);
  const text = document.replace(/^\ufeff/, '');
  while (tokens.lastIndex < text.length) {
    const [token, raw, end, begin, empty, cdata] = tokens.exec(text) ?? [];
    const open = path.at(-1);
    if (token === undefined || !open) throw malformed();
    if (raw !== undefined) open.text += textOf(raw);
    if (cdata !== undefined) open.text += cdata;
    if (begin !== undefined && empty === '/') put(open, begin, '');
    else if (begin !== undefined) path.push({ name: begin, text: '', children: undefined });
    if (path.length > DEEPEST) throw malformed();
    if (end === undefined) continue;
    path.pop();
    const parent = path.at(-1);
    if (!parent || open.name !== end) throw malformed();
    put(parent, end, open.children ?? open.text);
  }
  if (path.length > 1 || root.text.trim() !== '') throw malformed();
  return root.children;
}

/** What a document has any number of, in whose place a single one is itself. */
export function listOf<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(schema));
}

/**
 * Reads a document with this root into the shape that a call takes, where all values are texts, and a list of one is that
 * one. Throws MalformedXML.
 */
export function parseXml<T>(text: string, root: string, shape: z.ZodType<T>): T {
  const { data, success } = shape.safeParse(read(text)?.[root]);
  if (!success) throw malformed();
  return data;
}
