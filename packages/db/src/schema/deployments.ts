import type { Generated, JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';
import type { ProjectsTable } from './projects.ts';

export interface DeploymentsTable {
  id: Generated<string>;
  ownerId: string;
  projectId: string;
  status: Generated<'queued' | 'building' | 'deploying' | 'running' | 'failed' | 'stopped' | 'cancelled'>;
  /** All but `deploy` start a kept release, that of `rollbackOf`; `deploy` where a build would only make the same. */
  kind: Generated<'deploy' | 'rollback' | 'start' | 'restart'>;
  step:
    | 'variables'
    | 'clone'
    | 'pull'
    | 'detect'
    | 'install'
    | 'build'
    | 'release'
    | 'start'
    | 'health'
    | 'switch'
    | null;
  error: string | null;
  /** Settings as they were when it was queued. */
  repositoryUrl: string;
  /** Whether its source was pushed to us; `commit` then says which, where it is not the branch's newest. */
  pushed: Generated<boolean>;
  template: ProjectsTable['template'];
  /** The app of the marketplace that it runs; null where that came from elsewhere. */
  recipe: Generated<string | null>;
  recipeVersion: Generated<string | null>;
  /** Whether the disks are saved before its switch, and put back where it does not come to that. */
  savesDisks: Generated<boolean>;
  image: Generated<string>;
  branch: string;
  framework: 'nodejs' | 'static' | 'python';
  healthPath: string;
  runSettings: JSONColumnType<Record<string, unknown>, string | undefined, string>;
  /** The project's variables then: sealed values in base64 by name. */
  variables: JSONColumnType<Record<string, string>>;
  /** Who is given those of them that are not for all. */
  variableScopes: JSONColumnType<Record<string, 'build' | 'run'>, string | undefined, string>;
  /** Those that refer to something, with what that was when it was begun: sealed values in base64 by name. */
  resolvedVariables: JSONColumnType<Record<string, string>, string | undefined, string> | null;
  commit: string | null;
  commitMessage: string | null;
  /** Of the image that its release runs: the one that was pulled, or that was built and is in our registry. */
  imageDigest: string | null;
  /** Why there is one that nobody asked for, for example `Pushed ada/shop:latest`. */
  cause: Generated<string>;
  rollbackOf: string | null;
  releaseKept: Generated<boolean>;
  /** Whether it is built with nothing that earlier builds left. */
  clearCache: Generated<boolean>;
  /** Set by Cancel; the runner obeys it. */
  cancelRequested: Generated<boolean>;
  /** How often a build of it was begun. */
  attempts: Generated<number>;
  /** `seq` of the last piece of its log. */
  logSeq: Generated<number>;
  /** UTF-8 length of its log. */
  logBytes: Generated<number>;
  createdAt: GeneratedInstant;
  startedAt: string | null;
  finishedAt: string | null;
  /** Set by a trigger, which also notifies `deployment_changed` with "<project id> <deployment id>". */
  changedAt: GeneratedInstant;
}

export interface DeploymentLogTable {
  deploymentId: string;
  /** Counts from 1 without gaps. */
  seq: number;
  stream: 'stdout' | 'stderr' | 'system';
  text: string;
  at: GeneratedInstant;
}
