import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Framework } from '@nephos/contracts';

/** What runs deployments: builds, starts, supervises and serves apps. */
export interface DeploymentEngine {
  /** Which frameworks this server can run, and if not, one sentence why. */
  runtimes(): { framework: Framework; available: boolean; reason: string }[];
  /** Brings back the apps that should be running, and begins to take jobs. */
  start(): Promise<void>;
  /** Stops every app it started. */
  stop(): Promise<void>;
  /** Whether a request's Host header names an app; then the console must not answer it. */
  ownsHost(host: string | undefined): boolean;
  serve(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}
