/** For LIKE: what holds `text` somewhere; its `%`, `_` and backslashes are characters like others. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
