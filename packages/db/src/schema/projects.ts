import type { Generated, JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface ProjectsTable {
  id: Generated<string>;
  ownerId: string;
  name: string;
  description: string;
  repositoryUrl: string;
  /** How to log in to the repository's host, sealed by the secrets box. */
  repositoryCredentials: Buffer | null;
  /** Whether its own repository has what it deploys. A repository elsewhere or an image takes its place, it that of a template. */
  pushed: Generated<boolean>;
  /** Where its source comes from while it has no repository: a folder of `apps/api/templates`. */
  template: 'full-stack' | 'node-api' | 'python-api' | 'react-site' | 'static-site' | 'status-page' | null;
  /** The app of the marketplace that it is: a folder of `apps/api/recipes`. A repository or an image takes its place. */
  recipe: Generated<string | null>;
  /** Which version of that was live last; before that, which was installed. */
  recipeVersion: Generated<string | null>;
  /** Reference of the image that it is deployed from, spelled out; '' where it is built from a source. */
  image: Generated<string>;
  /** How to log in to the image's registry, sealed by the secrets box. */
  imageCredentials: Buffer | null;
  branch: string;
  framework: 'nodejs' | 'static' | 'python';
  healthPath: Generated<string>;
  /** What is set of how it is built and run; what is not in it is detected. */
  runSettings: JSONColumnType<Record<string, unknown>, string | undefined, string>;
  /** What the newest build found in the repository. */
  detected: JSONColumnType<Record<string, unknown>, string | undefined, string> | null;
  /** Written for that; null where the repository has its own. */
  dockerfile: string | null;
  slug: string;
  /** Picks the unprivileged account that its code runs under. */
  account: Generated<number>;
  liveDeploymentId: string | null;
  createdAt: GeneratedInstant;
}

/** What a variable is, whoever has it. */
interface VariableColumns {
  name: string;
  /** Sealed by the secrets box. */
  value: Buffer;
  scope: Generated<'all' | 'build' | 'run'>;
  /** Paths of its references, for example `databases.shop.url`. */
  refersTo: Generated<string[]>;
  /** Whether its value is one reference and nothing else. */
  isReference: Generated<boolean>;
  updatedAt: GeneratedInstant;
}

export interface ProjectVariablesTable extends VariableColumns {
  projectId: string;
}

export interface VariableGroupsTable {
  id: Generated<string>;
  ownerId: string;
  /** Unique among its owner's. */
  name: string;
  createdAt: GeneratedInstant;
}

export interface GroupVariablesTable extends VariableColumns {
  groupId: string;
}

export interface ProjectVariableGroupsTable {
  projectId: string;
  groupId: string;
  /** Grows with each linking: of variables with the same name, that of the greater one wins. */
  position: Generated<string>;
}
