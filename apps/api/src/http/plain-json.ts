import { invalid, type Refusal } from '../core/errors.ts';

/** Objects and lists inside each other. */
export const MAX_DEPTH = 20;

export function invalidJson(): Refusal {
  return invalid('The request body is not valid JSON.');
}

/** Whether PostgreSQL can store a text: neither NUL nor a lone surrogate in it. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Refuses input that PostgreSQL cannot store or that is nested to hurt: NUL, lone surrogates, depth over 20. */
export function assertPlainJson(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) {
      throw invalid("The input contains characters that can't be stored.");
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw invalid('The input is nested too deeply.');
  for (const [key, inner] of Object.entries(value)) {
    assertPlainJson(key, depth);
    assertPlainJson(inner, depth + 1);
  }
}
