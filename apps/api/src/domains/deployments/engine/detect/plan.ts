import type { Detected } from '@nephos/contracts';

/** A command of a build, with how the log names it. */
export interface PlannedCommand {
  argv: readonly string[];
  /** Where it runs, below the repository's root; '' is the root itself. */
  folder: string;
  /** For example `npm ci`. */
  label: string;
}

/**
 * A process of an app. Words of `argv` may hold `$NAME` of the app's environment when `expand` is set. In a container an
 * empty `argv` is the image's own command.
 */
export interface PlannedProcess {
  name: string;
  argv: readonly string[];
  expand: boolean;
  label: string;
}

/** What gets an app's requests; the others are workers. */
export const WEB = 'web';

/** A release that runs as processes or containers. The first process is `web`. */
export type RunnableServe =
  | { kind: 'process'; processes: readonly [PlannedProcess, ...PlannedProcess[]] }
  | {
      kind: 'container';
      /** What the daemon runs: an image's id, or `name@sha256:…`. */
      image: string;
      processes: readonly [PlannedProcess, ...PlannedProcess[]];
      /** Where the image says that it listens. */
      port: number | null;
    };

/** How a release is started. */
export type Serve = RunnableServe | { kind: 'static'; singlePage: boolean };

/** Where a static site's files are found after the build: the first folder of these with an index.html. */
export interface SiteSource {
  /** Paths below the repository. */
  folders: readonly string[];
  /** Whether it is an app of one page if it has no more: unknown paths are that page's to answer. */
  mayBeSinglePage: boolean;
  /** What to do where none of the folders has a page; '' for nothing. */
  advice: string;
}

/** A program of npm that is brought for a build and its app. The version is exact, or a major one. */
export interface Tool {
  package: string;
  version: string;
  /** Its commands. */
  commands: readonly string[];
}

/** A version that is asked for: a range of semantic versions, and where that was read. */
export interface VersionWish {
  range: string;
  /** For example `.nvmrc`. */
  source: string;
}

/** What a build leaves that the next one can use. Paths are below the repository. */
export interface Kept {
  /** Below which packages are kept, in every `node_modules`; or the virtual environment of Python. */
  packages: { kind: 'node'; folder: string } | { kind: 'python' } | undefined;
  /** What the packages come of: the same text, the same packages. */
  packagesFrom: string;
  /** Brings kept packages up to date, in the place of the install. */
  refresh: PlannedCommand | undefined;
  /** Caches of the framework. */
  caches: readonly string[];
}

/** What to do with a repository. */
export interface Plan {
  /** What was recognised, for the log; the runtime's version is added to it. */
  detected: Detected;
  /** What a person should know of it, for the log. */
  notes: readonly string[];
  node: VersionWish | undefined;
  /** The package of its framework, whose wish for Node.js explains failures, and the folder that uses it. */
  framework: { name: string; package: string; folder: string } | undefined;
  python: VersionWish | undefined;
  tools: readonly Tool[];
  /** Lines that hold Python's packages to versions of a lock file; '' for none. */
  constraints: string;
  install: readonly PlannedCommand[];
  build: readonly PlannedCommand[];
  /** Beside the project's variables. */
  buildEnvironment: Readonly<Record<string, string>>;
  /** Runs once, before the new version starts. */
  release: PlannedProcess | undefined;
  kept: Kept;
  serve: Extract<Serve, { kind: 'process' }> | SiteSource;
}

/** The repository cannot be run as the chosen framework; the message is one sentence or more for a person. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
  /** Whether it helps to say what else the repository has. */
  readonly lacks: boolean;

  constructor(message: string, { lacks = false } = {}) {
    super(message);
    this.lacks = lacks;
  }
}
