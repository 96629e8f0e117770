/** A fenced block of shell commands. */
export function commands(...lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}

/** A document of blocks, with an empty line between each two. */
export function markdown(...blocks: readonly (string | false)[]): string {
  return `${blocks.filter((block) => block !== false).join('\n\n')}\n`;
}
