import type { Account } from '@nephos/db';
import type { CommandEnd, Shell, ShellSize } from './app-commands.ts';
import type { PlannedProcess, RunnableServe, Serve } from './detect/plan.ts';
import type {
  AppDisks,
  Cluster,
  ContainerState,
  DeployedApp,
  DeploymentJob,
  IsolationFact,
  LogWriter,
  Repositories,
  RuntimeState,
} from './engine.ts';
import type { ReleaseFolders } from './folders.ts';
import type { Exit } from './instances/exit.ts';
import type { Build } from './release/releases.ts';
import { StepFailure } from './step-failure.ts';

/** A deployment's job, and what every part of its build works with. */
export interface BuildOptions {
  job: DeploymentJob;
  folders: ReleaseFolders;
  /** Whom the project's files belong to. */
  account: Account | undefined;
  log: LogWriter;
  signal: AbortSignal;
}

/** A release that can be started. */
export interface Release {
  /** With its folders. `job.rollbackOf` names the deployment that built it, where it is an earlier one. */
  options: BuildOptions;
  serve: Serve;
  /** What it was built from; undefined for an earlier one. */
  build?: Build | undefined;
}

/** What one instance may use of the machine. */
export interface RunLimits {
  /** MB of all its processes together. */
  memory: number;
  /** Hundredths of a core; null: as many as there are. */
  cpu: number | null;
  /** Processes and threads. */
  tasks: number;
}

/** A process of an app with what each of its instances gets. */
export interface RunProcess extends PlannedProcess {
  instances: number;
  limits: RunLimits;
}

/** An app's release, with whose account and into which log it is started. */
export interface ReleaseStart {
  app: DeployedApp;
  folders: ReleaseFolders;
  serve: RunnableServe;
  account: Account | undefined;
  log: LogWriter;
}

export interface StartOptions extends ReleaseStart {
  process: RunProcess;
  /** Which of the process's instances it is, from 1. */
  instance: number;
  /**
   * Whether nobody waits for it to fail: what it runs on may be away for a while, and an instance of this deployment
   * that still runs is taken over in its place.
   */
  patient: boolean;
  signal: AbortSignal;
  /** Called when the app listens and is asked for its health. */
  onListening?: () => Promise<void>;
}

/** How a run ended. */
export interface Ending {
  /** To complete a sentence: 'exited with code 1'. */
  how: string;
  /** Null where it could not be started. */
  exit: Exit | null;
  /** Set where it ended with what it ran on, by no fault of its own: it is started again at once, and no crash. */
  isBlameless?: boolean;
  /** Set where a disk could not be mounted: what ran before is tried again for as long as that takes. */
  awaitsDisk?: boolean;
}

/** A run ended before it was ready. */
export class EndedEarly extends StepFailure {
  readonly ending: Ending;

  constructor(message: string, ending: Ending) {
    super('start', message);
    this.ending = ending;
  }
}

/** One run of an instance. */
export interface AppProcess {
  /** Where `web` listens, for example `http://127.0.0.1:41234`; '' of a worker. */
  origin: string;
  /** The port of `origin`, where the app chose it and not we. */
  ownPort: number | null;
  /** Whether its ports are those of the machine, so that nobody else can have the same. */
  sharesPorts: boolean;
  /** The machine that it runs on, where there are several. */
  node?: string;
  ended: Promise<Ending>;
  /** Ends it: SIGTERM, and after `grace` milliseconds SIGKILL. Resolves when nothing of it is left. */
  stop(grace: number): Promise<void>;
  /** Lets it run on without us; absent where it ends with the server. */
  leave?(): void;
}

/** An app's release, for what runs beside the app, with the limits of an instance of `web`. */
export interface Beside extends Omit<ReleaseStart, 'log'> {
  limits: RunLimits;
}

export interface CommandOptions {
  argv: readonly string[];
  /** Milliseconds. */
  timeLimit: number;
  log: LogWriter;
  signal: AbortSignal;
}

/** A disk as it was before a deployment. */
export interface DiskBackup {
  projectId: string;
  diskId: string;
  deploymentId: string;
}

/** Copies of disks beside them, to which they go back where a deployment does not come to run. */
export interface DiskBackups {
  /**
   * Copies a disk that nothing uses, in the place of an earlier copy; one that was never used has none. Throws
   * `StepFailure`, for example where there is no room, or the signal's reason; then there is no copy.
   */
  save(backup: DiskBackup, options: { account: Account | undefined; signal: AbortSignal }): Promise<void>;
  /**
   * Puts a copy in the place of what is on its disk, which nothing uses. While that is not done the copy stays, and the
   * disk's app is not started.
   */
  restore(backup: DiskBackup): Promise<void>;
  /** Gives a copy up. */
  drop(backup: DiskBackup): Promise<void>;
  /** Copies that are there, of one project or of all. */
  list(projectId?: string): Promise<DiskBackup[]>;
}

/**
 * What apps run as: processes of this machine, or containers. The engine does what is the same for all: routes, the
 * proxy, roll-outs, supervision. It asks nothing of a runtime before `start` but `runtimes` and `isolation`.
 */
export interface Runtime {
  /** Which frameworks can be run, and if not, one sentence why. */
  runtimes(): RuntimeState[];
  /** Whether it runs images and builds Dockerfiles, and if not, one sentence why. */
  containers(): ContainerState;
  /** What of a project is kept apart; nothing is said before the start. */
  isolation(): readonly IsolationFact[];
  /**
   * Finds what it works with, ends what a killed server left that is of none of these apps, and has done with the backups
   * of disks that it left: those of these apps' deployments go, and of all others the disks are put back.
   */
  start(live: readonly DeployedApp[]): Promise<void>;
  /** Once all apps have been stopped or left: ends what nobody asked for, and removes what was made for them. */
  close(): Promise<void>;
  /** Throws `StepFailure`, or the signal's reason. Then nothing but `folders.release` is left of it. */
  build(options: BuildOptions): Promise<Release>;
  /** Whether it can start a release that was built as this. */
  canStart(serve: Serve): boolean;
  /** Makes what all instances of a release share, such as disks. Throws `StepFailure`. */
  prepare(start: ReleaseStart): Promise<void>;
  /**
   * Starts an instance and waits until it answers, or, where nobody asks it, has run for a moment. Throws `StepFailure`,
   * or the signal's reason; then nothing is left of it.
   */
  startInstance(options: StartOptions): Promise<AppProcess>;
  /** Runs a command to its end; nothing that it started is left then. */
  runCommand(beside: Beside, options: CommandOptions): Promise<CommandEnd>;
  /** Why no terminal can be opened, as a sentence; '' where one can. */
  whyNoTerminal(): string;
  /** Throws the signal's reason where that aborts before the shell is open. */
  openShell(beside: Beside, options: { size: ShellSize; signal: AbortSignal }): Promise<Shell>;
  disks: AppDisks;
  repositories: Repositories;
  backups: DiskBackups;
  /** The machines that it runs on, where there can be several. */
  cluster?: Cluster;
  /** Deletes what it keeps of releases beside their folders, which are gone. */
  forgetReleases(projectId: string, deploymentIds: readonly string[]): Promise<void>;
  /** Deletes what it keeps of a project, of which nothing runs, beside its folder. */
  removeProject(projectId: string): Promise<void>;
}
