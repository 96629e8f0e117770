import { z } from 'zod';
import { invalid } from '../../core/errors.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** A name as it can be shown. */
export const word = z.string().transform((text) => text.replace(CONTROL, '').slice(0, 255));

/** JSON, or a form with JSON in its field `payload`, as GitHub sends it unless told otherwise; nothing is an empty object. */
export function parsePayload(body: Buffer): unknown {
  const text = body.toString('utf8');
  const json = text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text;
  if (json.trim() === '') return {};
  try {
    return JSON.parse(json);
  } catch {
    throw invalid('The body is not JSON.');
  }
}

/** A payload that has what is read of it; throws 400 for another. */
export function checked<S extends z.ZodType>(schema: S, payload: unknown): z.output<S> {
  const { data, success } = schema.safeParse(payload);
  if (!success) throw invalid('The body is not that of a push or a pull request.');
  return data;
}
