/** A number as it stands in its field; '' where none is set. */
export function textOfNumber(value: number | null): string {
  return value === null ? '' : String(value);
}

/**
 * What was typed as a number; null where nothing was. What is no number becomes -1, which the server refuses at its
 * field: NaN would be sent as null, and so save the default.
 */
export function typedNumber(text: string): number | null {
  if (text.trim() === '') return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : -1;
}
