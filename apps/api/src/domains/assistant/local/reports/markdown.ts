/** Text as inline code, whatever backticks it has. */
export function code(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text.replaceAll(/\s+/g, ' ')}${pad}${fence}`;
}

/** Text as a code block, whatever fences it has. */
export function block(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`;
}

/** A person's text inside a sentence: shown as it is, whatever Markdown it looks like. */
export function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+!|<>~&-]/g, '\\$&');
}

/** A name that stands out. */
export function bold(text: string): string {
  return `**${plain(text)}**`;
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

export function numbered(lines: readonly string[]): string {
  return lines.map((line, n) => `${n + 1}. ${line}`).join('\n');
}

/** Paragraphs, those that are '' left out. */
export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** `1 project`, `3 projects`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
