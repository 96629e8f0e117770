const WHOLE = /^\d{1,15}$/;

export const TTL_FORM = 'A TTL is a whole number of seconds.';

/** A typed TTL as an integer; undefined for anything but plain digits: neither `1e3` nor `3600.0` is one. */
export function parseTtl(text: string): number | undefined {
  const digits = text.trim();
  return WHOLE.test(digits) ? Number.parseInt(digits, 10) : undefined;
}
