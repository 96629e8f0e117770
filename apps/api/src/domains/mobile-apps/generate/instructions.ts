import { shellWord } from './escape.ts';
import type { AppSettings } from './settings.ts';

/** A fenced block of shell commands. */
export function commands(...lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}

/** A document of blocks, with an empty line between each two. */
export function markdown(...blocks: readonly (string | false)[]): string {
  return `${blocks.filter((block) => block !== false).join('\n\n')}\n`;
}

/** How to get the sources where GitHub deploys. `--` keeps git from reading an address as an option. */
export function cloneCommands({ repositoryUrl, branch }: AppSettings): string {
  return commands(`git clone --branch ${shellWord(branch)} -- ${shellWord(repositoryUrl)} app`, 'cd app');
}

/** How the files, and nothing else that lies there, get to where the workflow runs. */
export function pushCommands({ branch, platform }: AppSettings): string {
  const folders = [
    '.github',
    'docs',
    'fastlane',
    platform !== 'ios' && 'app',
    platform !== 'android' && 'ios',
  ];
  return commands(
    `git add ${folders.filter((folder) => folder !== false).join(' ')}`,
    "git commit -m 'Add the build configuration'",
    `git push origin ${shellWord(`HEAD:${branch}`)}`,
  );
}
