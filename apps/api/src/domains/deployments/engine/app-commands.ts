import type { Readable } from 'node:stream';
import type { DeployedApp, IsolationFact, LogWriter } from './engine.ts';

export interface ShellSize {
  cols: number;
  rows: number;
}

/** A shell with a terminal, in an app's environment. */
export interface Shell {
  /** Bytes of its terminal; while nobody reads them, it waits. */
  output: Readable;
  write(input: string): void;
  resize(size: ShellSize): void;
  /** Ends it with all that it started. */
  close(): Promise<void>;
  /** Resolves when nothing of it is left, with a sentence about its end. */
  ended: Promise<string>;
}

/** A command in an app's environment came to its end. `error` is a sentence for a person. */
export type CommandEnd =
  | { status: 'succeeded'; exitCode: 0 }
  | { status: 'failed'; exitCode: number | null; error: string }
  | { status: 'timed-out'; error: string }
  /** The given signal was aborted. */
  | { status: 'cancelled' };

export interface AppCommand {
  /** Whose release, variables and limits it has. */
  app: DeployedApp;
  /** A line as one types it in a shell. */
  command: string;
  /** Milliseconds. */
  timeLimit: number;
}

/** Runs commands and shells beside apps, in the environment that the apps have. */
export interface AppCommands {
  /** Names this installation, over its restarts. */
  readonly instance: string;
  /** As the engine's own. */
  isolation(): readonly IsolationFact[];
  /** Whether this installation has an app's release. */
  has(app: Pick<DeployedApp, 'projectId' | 'deploymentId' | 'rollbackOf'>): Promise<boolean>;
  /** Runs a command to its end; nothing that it started is left then. Rejects only by a fault of ours. */
  run(command: AppCommand, log: LogWriter, signal: AbortSignal): Promise<CommandEnd>;
  /** Why no terminal can be opened on this machine, as a sentence; '' where one can. */
  whyNoTerminal(): string;
  /** Opens a shell with a terminal of its own. Throws `CannotRunThere` with a sentence. */
  openShell(app: DeployedApp, size: ShellSize): Promise<Shell>;
}

/** A release in which nothing can be run; the message is a sentence for a person. */
export class CannotRunThere extends Error {
  override readonly name = 'CannotRunThere';
}
