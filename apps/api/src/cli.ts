import { type Command, CommandError, Misused } from './commands/command.ts';
import { SettingError } from './core/settings.ts';

/** Each is loaded when it is called, so none waits for what another needs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  backup: async () => (await import('./commands/backup.ts')).backup,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  restore: async () => (await import('./commands/restore.ts')).restore,
  upgrade: async () => (await import('./commands/upgrade.ts')).upgrade,
  version: async () => (await import('./commands/version.ts')).version,
};

const FAILED = 1;
const MISUSED = 2;

async function usage(): Promise<string> {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = await Promise.all(
    Object.entries(COMMANDS).map(
      async ([name, load]) => `  ${name.padEnd(width)}  ${(await load()).summary}`,
    ),
  );
  return `Usage: nephos <command> [options]\n\n${lines.join('\n')}\n\nnephos <command> --help shows its options.\n`;
}

function usageOf(name: string, { usage }: Command): string {
  return `Usage: nephos ${name} ${usage}`.trimEnd();
}

function isMisuse(error: Error): boolean {
  return error instanceof Misused || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_'));
}

/** Without how to pass by `--` what begins with a dash: no command takes such a word. */
function wordsOf({ message }: Error): string {
  return message.replace(/\. To specify a positional argument.*$/s, '');
}

/** Runs the command that the words name; its exit code. */
async function runCommand([name = '', ...args]: readonly string[]): Promise<number> {
  if (['', 'help', '--help', '-h'].includes(name)) {
    process.stdout.write(await usage());
    return name === '' ? MISUSED : 0;
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    process.stderr.write(`There is no command ${name}.\n${await usage()}`);
    return MISUSED;
  }
  const command = await COMMANDS[name]?.();
  if (!command) return FAILED;
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${usageOf(name, command)}\n\n${command.summary}\n`);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (isMisuse(error)) {
      process.stderr.write(`nephos ${name}: ${wordsOf(error)}\n${usageOf(name, command)}\n`);
      return MISUSED;
    }
    const isKnown = error instanceof CommandError || error instanceof SettingError;
    process.stderr.write(`nephos ${name}: ${isKnown ? error.message : (error.stack ?? error.message)}\n`);
    return FAILED;
  }
}

process.exit(await runCommand(process.argv.slice(2)));
