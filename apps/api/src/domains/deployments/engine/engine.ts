import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type {
  ClusterNode,
  DeploymentStep,
  Detected,
  DiskSupport,
  Framework,
  LogChunk,
  ProjectTemplate,
  RunSettings,
} from '@nephos/contracts';
import type { AppCommands } from './app-commands.ts';

/** Whether this server can run a framework. */
export interface RuntimeState {
  framework: Framework;
  available: boolean;
  /** One sentence; '' when available. */
  reason: string;
}

/** Whether this server runs images and builds Dockerfiles. */
export type ContainerState = Pick<RuntimeState, 'available' | 'reason'>;

/** One thing that can be kept apart between projects, and whether it is here. */
export interface IsolationFact {
  /** For example `Files`. */
  name: string;
  holds: boolean;
  /** What that means here, in a sentence or two; where it does not hold, why. */
  detail: string;
  /** Set for what a sandbox can do without: nothing of others is in reach without it, though they may run short of it. */
  isExtra?: true;
  /** Set for what only builds share: a project that brings its image needs none. */
  isOfBuilds?: true;
}

/** The disks of apps. */
export interface AppDisks {
  diskSupport(): DiskSupport;
  /** Whether every machine that apps run on has these disks, which are of one project, and those it gets next. */
  sharesDisks(disks: readonly Pick<AppDisk, 'id'>[]): Promise<boolean>;
  /** Why no disk can be at a path of an app on this server, as a sentence; '' where one can. */
  whyNoDisk(path: string): string;
  /** What is on a disk; undefined where it is not on this machine, or no app has been started with it here since the start. */
  diskUse(projectId: string, diskId: string): Promise<DiskUse | undefined>;
  /** Makes a disk larger for an app that runs, where that can be. One that is not here, or has no size of its own, is left as it is. */
  growDisk(projectId: string, disk: Pick<AppDisk, 'id' | 'size'>): Promise<void>;
  /** Deletes a disk with everything on it. */
  removeDisk(projectId: string, diskId: string): Promise<void>;
}

/** A request of git's HTTP protocol (gitprotocol-http(5)). */
export interface GitRequest {
  service: 'git-upload-pack' | 'git-receive-pack';
  /** Whether it only asks which refs there are, as each exchange begins. */
  advertises: boolean;
  /** Headers of the request; '' where they are not there. */
  protocol: string;
  contentEncoding: string;
  body: Readable;
}

export interface GitAnswer {
  status: number;
  headers: Record<string, string>;
  /** To be read to its end. Where git was stopped it ends early. */
  body: AsyncIterable<Buffer>;
  /** Once it was read: why git was stopped, or would not take it, as a sentence of its own; '' where neither. */
  fault(): string;
}

export interface PushedBranch {
  name: string;
  commit: string;
  /** Whether clones get it. */
  isDefault: boolean;
}

/** A project's own repository while somebody uses it. */
export interface OpenRepository extends AsyncDisposable {
  /** Why nothing more can be pushed, as a sentence; '' where it can. */
  whyFull(): Promise<string>;
  answer(request: GitRequest): Promise<GitAnswer>;
  branches(): Promise<PushedBranch[]>;
  /** A commit's message, its first 16 Ki characters. */
  messageOf(commit: string): Promise<string>;
  /** Files that differ between two commits; undefined where there are too many to name, or one is gone. */
  changedFiles(from: string, to: string): Promise<string[] | undefined>;
  setDefaultBranch(name: string): Promise<void>;
}

/** Repositories that projects are pushed to. */
export interface Repositories {
  /** Opens a project's own repository, which is made at first. Throws where this server has no git. */
  openRepository(project: Pick<DeployedApp, 'projectId' | 'account'>): Promise<OpenRepository>;
  /** Whether this server has one of the project's. */
  hasRepository(projectId: string): boolean;
}

/** The machines that apps run on. */
export interface Cluster {
  nodes(): ClusterNode[];
  /** Why nothing can be asked of it, as a sentence; '' where it can. */
  reason(): string;
  /** The command that a further machine joins by; it holds a secret. `renew` ends what earlier ones were good for. */
  joinCommand(options: { renew: boolean }): Promise<string>;
}

/**
 * What a machine pulls to run an app's release that does not have it, with what its registry asks for at this moment; null
 * where no registry has it.
 */
export type FindImage = (app: Pick<DeployedApp, 'deploymentId' | 'rollbackOf'>) => Promise<JobImage | null>;

/** What runs deployments: builds, starts, supervises and serves apps. */
export interface DeploymentEngine extends AppDisks, Repositories {
  /** Which frameworks this server can run, and if not, one sentence why. */
  runtimes(): RuntimeState[];
  /** Whether apps run in containers, so that images and Dockerfiles can be deployed, and if not, one sentence why. */
  containers(): ContainerState;
  /** What of a project is kept apart from others and from this server; nothing is said before the start. */
  isolation(): readonly IsolationFact[];
  /** Ends what a killed server left behind and brings back the apps that should be running. */
  start(): Promise<void>;
  /** Interrupts running jobs, and stops every app that does not outlive the server. */
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
  /** Runs commands and shells beside the apps. */
  commands: AppCommands;
  /** The processes of a project's app here, as they are now, or as they were when it crashed for good. */
  processes(projectId: string): ProcessStatus[];
  /** Calls `listener` whenever they have changed, until the answer is called. */
  watchProcesses(projectId: string, listener: () => void): () => void;
  /** Undefined where apps run on this machine alone. */
  cluster: Cluster | undefined;
  /** Bytes that left for the clients of apps since the last call, by project. */
  collectEgress(): ReadonlyMap<string, number>;
}

/** A folder of a project that outlives its releases. */
export interface AppDisk {
  id: string;
  name: string;
  /** Where the app finds it: absolute, or below the app's own folder, which `/app` names as well. */
  path: string;
  /** MB that it can hold, where the kernel holds it to that. */
  size: number;
}

/** What a disk holds. */
export interface DiskUse {
  bytes: number;
  /** Whether the kernel holds it to its size. */
  limited: boolean;
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
  settings: RunSettings;
  /** Folders that outlive its releases, oldest first. */
  disks: readonly AppDisk[];
  /** Plain values; given to the app. */
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
  /** The one that was deployed, where the repository's default was asked for. */
  branch?: string;
  commit?: string;
  /** First line. */
  commitMessage?: string;
  releaseKept?: boolean;
  /** Of the image that the release runs, as its registry names it: it was pulled, or built and pushed to ours. */
  imageDigest?: string;
  /** The deployment whose release is started again, since a build would only make the same. */
  rollbackOf?: string;
  /** What was found in the repository; the whole of it. */
  detected?: Detected;
  /** A Dockerfile that was written for what was found, and comes with that. */
  dockerfile?: string;
  /** Where `web` listens, where that is not the port that it was given. */
  port?: number;
}

/** What is pulled in the place of a build. */
export interface JobImage {
  /** Spelled out; with a digest where it must be that very image. */
  reference: string;
  /** For its registry; null where it is asked as anyone. */
  credentials: { username: string; password: string } | null;
}

/** An app of the marketplace, in one of its versions. */
export interface AppRecipe {
  /** For example `verdaccio`. */
  id: string;
  name: string;
  version: string;
  /** Where its files are. */
  folder: string;
}

/** How to log in to a repository's host. */
export interface RepositoryCredentials {
  /** Scheme, host and port of whom they are for, for example `https://git.example.com`. */
  origin: string;
  username: string;
  token: string;
}

/** The key by which a project reads its repository over SSH, and what is known of the host. */
export interface DeployKeyUse {
  /** In OpenSSH's format. */
  privateKey: string;
  /** Host and port whose keys are known; '' for none. */
  host: string;
  /** Type and key of each, as `known_hosts` has them. */
  hostKeys: readonly string[];
  /** Keeps what a host had when it was first used. */
  onHostKeys(known: { host: string; hostKeys: string[] }): Promise<void>;
}

export interface DeploymentJob extends DeployedApp {
  /** Set, nothing is cloned or built. */
  image: JobImage | null;
  /** Where an image that is built goes, in our own registry, with credentials made for this push. */
  imageTarget(): Promise<JobImage>;
  /** Says nothing of an image. */
  framework: Framework;
  repositoryUrl: string;
  /** Set where its source is what was pushed to us; without a commit, the branch's newest. */
  pushed: { commit: string | null } | null;
  /** For the host of that; null where it is not asked for any. */
  repositoryCredentials: RepositoryCredentials | null;
  /** Null where the project has none. */
  deployKey: DeployKeyUse | null;
  /** A folder of `apps/api/templates` that is the source where there is no repository. */
  template: ProjectTemplate | null;
  /** The app of the marketplace that is the source where there is no repository. */
  recipe: AppRecipe | null;
  /** '' is the repository's default. */
  branch: string;
  /** Plain values; given to install and build. */
  buildVariables: Readonly<Record<string, string>>;
  /** Set, it is built only where builds are kept apart from this machine and from each other. */
  buildsApart: boolean;
  /** Uses nothing that earlier builds left, and drops it. */
  clearCache: boolean;
  /**
   * Its disks are copied once nothing runs on them, and are as they were then where it does not come to run. What its
   * release command writes before that stays.
   */
  savesDisks: boolean;
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

/** Which of an app's processes something is of. */
export interface ProcessOrigin {
  /** For example `web`. */
  process: string;
  /** From 1. */
  instance: number;
}

/** `crashed`: it ended by itself and is started again after a pause; `failed`: it crashed too often and stays down. */
export type ProcessState = 'starting' | 'running' | 'crashed' | 'failed' | 'stopped';

/** What became of one instance of an app's processes. */
export interface ProcessStatus extends ProcessOrigin {
  /** What it runs. */
  command: string;
  state: ProcessState;
  /** Since when, as an ISO string. */
  since: string;
  /** How it ended last, to complete a sentence: 'exited with code 1'; '' where it did not. */
  reason: string;
  /** How often it was started again. */
  restarts: number;
  /** Where it listens; null for a worker, and while it does not. */
  port: number | null;
  /** Name of the machine that it runs on; null where there is but one, and while it does not run. */
  node: string | null;
}

/** A process of a live app that came to another state. */
export interface ProcessChange extends ProcessStatus {
  deploymentId: string;
  projectId: string;
  /** Exit code, or the signal that ended it; null where it did not end, or could not be started. */
  exit: { code: number | null; signal: string | null } | null;
}

export type LogStream = LogChunk['stream'];

/** A deployment's log: bounded, masked, stored in order, ANSI sequences kept. No call throws. */
export interface LogWriter {
  write(stream: 'stdout' | 'stderr', text: string, origin?: ProcessOrigin): void;
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
  logFor(app: Pick<DeployedApp, 'projectId' | 'deploymentId'>): LogWriter;
  /** The app is gone for good: the deployment has failed and its project has no live one. */
  crashed(deploymentId: string, error: string): Promise<void>;
  /** Answers again after a restart of the server or of the app. */
  recovered(deploymentId: string): Promise<void>;
  /** A process changed its state. It is told and not waited for, and must not throw. */
  processChanged(change: ProcessChange): void;
  /** These releases were deleted to make room: one cannot roll back to them any more. */
  releasesRemoved(deploymentIds: string[]): Promise<void>;
  /** Why no app answers under this slug; `unknown` when no project has it. */
  absence(slug: string): Promise<AbsentApp>;
}
