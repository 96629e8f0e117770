import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { z } from 'zod';
import { S3Error } from './s3-error.ts';

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  // A key may begin or end with blanks.
  trimValues: false,
  removeNSPrefix: true,
});

/** What a parsed element is without the blanks between its children. */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (typeof value !== 'object' || value === null) return value;
  const children = Object.entries(value).filter(([name]) => name !== '#text');
  return Object.fromEntries(children.map(([name, child]) => [name, withoutBlanks(child)]));
}

/**
 * Reads a document with this root into the shape that a call takes, where all values are texts and a list of one is that
 * one. Throws MalformedXML.
 */
export function parseXml<T>(text: string, root: string, shape: z.ZodType<T>): T {
  // Nobody needs entities of their own, with which a few bytes can stand for gigabytes.
  if (/<!(DOCTYPE|ENTITY)/i.test(text) || XMLValidator.validate(text) !== true)
    throw new S3Error('MalformedXML');
  let document: unknown;
  try {
    document = withoutBlanks(parser.parse(text));
  } catch {
    throw new S3Error('MalformedXML');
  }
  const content = typeof document === 'object' && document !== null ? Reflect.get(document, root) : undefined;
  const { data, success } = shape.safeParse(content);
  if (!success) throw new S3Error('MalformedXML');
  return data;
}
