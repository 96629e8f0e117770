import { shellWord } from './escape.ts';
import { commands } from './markdown.ts';
import type { AppSettings } from './settings.ts';

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
