import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Framework } from '@nephos/contracts';
import type { DeploymentJob, DeploymentOutcome, LogWriter } from './seams.ts';

/** What runs deployments: builds, starts, supervises and serves apps. */
export interface DeploymentEngine {
  /** Which frameworks this server can run, and if not, one sentence why. */
  runtimes(): { framework: Framework; available: boolean; reason: string }[];
  /** Ends what a killed server left behind and brings back the apps that should be running. */
  start(): Promise<void>;
  /** Stops every app it started and interrupts running jobs. */
  stop(): Promise<void>;
  /**
   * Builds and starts one deployment, or starts a kept release. Never rejects. On `running` the log stays with the
   * engine, which writes the app's output to it and closes it when the app is gone; else the caller closes it.
   */
  run(job: DeploymentJob, log: LogWriter, signal: AbortSignal): Promise<DeploymentOutcome>;
  /** Stops a project's app, or only that deployment's; resolves when its processes are gone. No app is no error. */
  stopApp(projectId: string, deploymentId?: string): Promise<void>;
  /** Stops a project's app and deletes its releases and caches. */
  removeProject(projectId: string): Promise<void>;
  /** Whether a request's Host header names an app; then the console must not answer it. */
  ownsHost(host: string | undefined): boolean;
  serve(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Bytes that left for the clients of apps since the last call, by project. */
  takeEgress(): ReadonlyMap<string, number>;
}
