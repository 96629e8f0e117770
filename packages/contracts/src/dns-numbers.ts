/** The number that `text` writes in plain digits, from 0 to `max`; undefined where it is none. */
export function numberIn(text: string | undefined, max: number): number | undefined {
  if (text === undefined || !/^\d{1,5}$/.test(text)) return undefined;
  const number = Number(text);
  return number <= max ? number : undefined;
}

export const MAX_UINT16 = 65_535;
