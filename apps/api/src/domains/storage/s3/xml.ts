import type { FastifyReply } from 'fastify';

/**
 * What is in an element: text, or elements by name, several where it is a list; what is absent is left out. A name that
 * begins with `@` is an attribute's.
 */
export type Xml = string | number | boolean | undefined | null | XmlElements;
export interface XmlElements {
  [name: string]: Xml | readonly Xml[];
}

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Control characters are written as S3 does, by their numbers, though no XML 1.0 may name most of them. */
function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys may hold them
  return text.replace(/[&<>"]|[\u0000-\u001f\u007f\ufffe\uffff]/g, (character) => {
    return ESCAPED[character] ?? `&#x${character.charCodeAt(0).toString(16)};`;
  });
}

function element(name: string, content: Xml | readonly Xml[], attributes = ''): string {
  if (content === undefined || content === null) return '';
  if (Array.isArray(content)) return content.map((one: Xml) => element(name, one)).join('');
  if (typeof content !== 'object') return `<${name}${attributes}>${escaped(String(content))}</${name}>`;
  let [head, inner] = [`${name}${attributes}`, ''];
  for (const [child, value] of Object.entries(content)) {
    if (child.startsWith('@')) head += ` ${child.slice(1)}="${escaped(String(value))}"`;
    else inner += element(child, value);
  }
  return `<${head}>${inner}</${name}>`;
}

/** Answers with a document; errors have no namespace. */
export function sendXml(reply: FastifyReply, root: string, content: XmlElements): FastifyReply {
  const namespace = root === 'Error' ? '' : ` xmlns="${NAMESPACE}"`;
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content, namespace)}`;
  return reply.type('application/xml').send(text);
}
