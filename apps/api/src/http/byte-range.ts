import type { ByteRange } from '../platform/object-store/object-store.ts';

/**
 * Reads a `Range` header (RFC 9110 §14.2) for `size` bytes. Undefined: send everything, as for several ranges and for
 * units we do not know; 'unsatisfiable': answer 416.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes= *(\d{0,15})-(\d{0,15}) *$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start <= end ? { start, end } : 'unsatisfiable';
}
