/** A command of a build, with how the log names it. */
export interface PlannedCommand {
  argv: readonly string[];
  /** Where it runs: in the app, or in the empty home, where no configuration of the repository is read. */
  in: 'app' | 'home';
  /** For example `npm ci`. */
  label: string;
}

/** How a release is started. Words of `argv` may hold `$NAME` of the app's environment when `expand` is set. */
export type Serve =
  | { kind: 'process'; argv: readonly string[]; expand: boolean; label: string }
  | { kind: 'static'; singlePage: boolean };

/** Where a static site's files are found after the build: the first folder of these with an index.html. */
export interface SiteSource {
  /** Paths below the repository. */
  folders: readonly string[];
  built: boolean;
}

/** What to do with a repository. */
export interface Plan {
  /** What was recognised, for the log. */
  summary: string;
  install: readonly PlannedCommand[];
  build: readonly PlannedCommand[];
  serve: { kind: 'process'; argv: readonly string[]; expand: boolean; label: string } | SiteSource;
}

/** The repository cannot be run as the chosen framework; the message is one sentence for a person. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
