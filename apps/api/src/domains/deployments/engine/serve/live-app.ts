import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ProcessStatus } from '../engine.ts';

/** A project's version that requests go to. */
export interface LiveApp {
  readonly deploymentId: string;
  /** The deployment that built what it runs. */
  readonly release: string;
  readonly projectId: string;
  readonly slug: string;
  processes(): ProcessStatus[];
  serve(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Waits up to `drain` milliseconds for requests under way, then ends its processes: SIGTERM, and after `grace`
   * milliseconds SIGKILL. Resolves when none is left. Closes the log unless `keepLog`. May be called again to hurry.
   */
  stop(options: StopOptions): Promise<void>;
  /** Lets what outlives the server run on, and ends the rest within `grace` milliseconds. Closes the log. */
  leave(grace: number): Promise<void>;
  /** Where it listens, where that is not the port that it was given. */
  ownPort(): number | null;
  /** Why no other version can run beside it, as a sentence; undefined where one can. */
  whyAlone(): string | undefined;
  /** Ends its processes and keeps its place and its log, so that another version can start in the meantime. */
  suspend(drain: number): Promise<void>;
  /**
   * Starts it again after `suspend`, on its disks as they are by now. Resolves when it answers, or when nobody is to wait
   * for that any longer. Rejects only by a fault of ours.
   */
  resume(patience: AbortSignal): Promise<void>;
}

export interface StopOptions {
  drain: number;
  /** As long as the project's settings say, unless it is given. */
  grace?: number;
  keepLog?: boolean;
}
