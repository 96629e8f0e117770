import { parseArgs } from 'node:util';
import { programVersion } from '../core/program-version.ts';
import type { Command } from './command.ts';

export const version: Command = {
  summary: 'the version of this program',
  usage: '',
  async run(args) {
    parseArgs({ args: [...args] });
    process.stdout.write(`${await programVersion()}\n`);
    return 0;
  },
};
