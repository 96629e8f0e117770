import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DeploymentStep, Framework, ProjectTemplate } from '@nephos/contracts';

/** Whether this server can run a framework. */
export interface RuntimeState {
  framework: Framework;
  available: boolean;
  /** One sentence; '' when available. */
  reason: string;
}

/** What runs deployments: builds, starts, supervises and serves apps. */
export interface DeploymentEngine {
  /** Which frameworks this server can run, and if not, one sentence why. */
  runtimes(): RuntimeState[];
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
  collectEgress(): ReadonlyMap<string, number>;
}

/** A deployment as the engine needs it to start, or start again, its app. */
export interface DeployedApp {
  deploymentId: string;
  projectId: string;
  /** First label of the app's host name. */
  slug: string;
  /** `projects.account`: picks the unprivileged account. */
  account: number;
  /** '' asks only for an open port that speaks HTTP. */
  healthPath: string;
  /** Plain values; given to the build and to the app. */
  variables: Readonly<Record<string, string>>;
  /**
   * Set for a rollback: the deployment that built the release to start. Always the builder itself, never another
   * rollback of it; a rollback has no release of its own and reports no `releaseKept`.
   */
  rollbackOf: string | null;
}

/** What a deployment reports about itself; an absent field did not change. */
export interface Progress {
  status?: 'building' | 'deploying';
  step?: DeploymentStep;
  commit?: string;
  /** First line. */
  commitMessage?: string;
  releaseKept?: boolean;
}

export interface DeploymentJob extends DeployedApp {
  framework: Framework;
  repositoryUrl: string;
  /** A folder of `apps/api/templates` that is the source where there is no repository. */
  template: ProjectTemplate | null;
  branch: string;
  /** Writes the row. */
  onProgress(progress: Progress): Promise<void>;
  /**
   * Makes this deployment the project's live one in the database. Called when the new version answers and before
   * requests go to it; when it throws, the new version is stopped and the old one keeps serving.
   */
  onSwitch(): Promise<void>;
}

export type DeploymentOutcome =
  | { status: 'running' }
  | { status: 'failed'; step: DeploymentStep; error: string }
  /** The given signal was aborted. */
  | { status: 'cancelled' }
  /** The engine is being stopped: leave the job to run again after the next start. */
  | { status: 'interrupted' };

/** A deployment's log: bounded, masked, stored in order, ANSI sequences kept. No call throws. */
export interface LogWriter {
  write(stream: 'stdout' | 'stderr', text: string): void;
  /** What the platform itself says: one line, without its newline. */
  system(text: string): void;
  /** Resolves when everything is stored. Closing again does nothing; what is written later is dropped. */
  close(): Promise<void>;
}

/** What a project without a running app shows at its address. */
export type AbsentApp = 'unknown' | 'empty' | 'deploying' | 'stopped' | 'failed';

/** What the engine reads and reports outside of a job. */
export interface LiveDeployments {
  /** Every project's live deployment: what should be running now. */
  all(): Promise<DeployedApp[]>;
  /** A writer that appends to the deployment's log; the engine closes it. */
  logFor(deploymentId: string): LogWriter;
  /** The app is gone for good: the deployment has failed and its project has no live one. */
  crashed(deploymentId: string, error: string): Promise<void>;
  /** Answers again after a restart of the server or of the app. */
  recovered(deploymentId: string): Promise<void>;
  /** These releases were deleted to make room: one cannot roll back to them any more. */
  releasesRemoved(deploymentIds: string[]): Promise<void>;
  /** Why no app answers under this slug; `unknown` when no project has it. */
  absence(slug: string): Promise<AbsentApp>;
}
