import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A project's version that requests go to. */
export interface LiveApp {
  readonly deploymentId: string;
  readonly projectId: string;
  readonly slug: string;
  serve(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Waits up to `drain` milliseconds for requests under way, then ends its processes: SIGTERM, and after `grace`
   * milliseconds SIGKILL. Resolves when none is left. Closes the log unless `keepLog`. May be called again to hurry.
   */
  stop(options: StopOptions): Promise<void>;
}

export interface StopOptions {
  drain: number;
  grace: number;
  keepLog?: boolean;
}
