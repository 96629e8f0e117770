/** What one can do by `nephos <name>` beside running the server. */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** What may stand behind its name. */
  usage: string;
  /**
   * Runs with the words behind its name, reports on standard output, and resolves to the exit code. What it throws as
   * `CommandError` or `SettingError` is one line for whoever called it; a wrong option of `parseArgs`, or `Misused`, has the
   * usage beneath.
   */
  run(args: readonly string[]): Promise<number>;
}

/** Something that whoever called the command can put right, in words for them. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The words behind the name of a command are none that it takes. */
export class Misused extends CommandError {}
