import type { ByteRange } from '../../../platform/object-store/object-store.ts';

/**
 * The one range that a `Range` header asks for of `size` bytes; undefined for all of it, also where there are several
 * or the unit is another. A range that ends before it begins is unsatisfiable, as registries have it.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start <= end ? { start, end } : 'unsatisfiable';
}
