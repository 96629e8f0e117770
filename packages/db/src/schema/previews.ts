import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** Which branches of a project get previews; a project without a row has none. */
export interface PreviewSettingsTable {
  projectId: string;
  ownerId: string;
  enabled: Generated<boolean>;
  /** In each of which one `*` stands for any characters. */
  branches: Generated<string[]>;
  /** Previews at once. */
  most: Generated<number>;
  /** From the last push on. */
  days: Generated<number>;
  groupId: string | null;
}

/** A project that was made for a branch of another one's repository. */
export interface PreviewsTable {
  projectId: string;
  ownerId: string;
  /** The project that it is a preview of. */
  parentId: string;
  branch: string;
  /** The newest one that is open, or was. */
  pullRequest: number | null;
  openPullRequests: Generated<number[]>;
  /** What was deployed last of what pushes told of; '' where they do not say. */
  commit: Generated<string>;
  pushedAt: GeneratedInstant;
}

/** A database of which each preview of a project gets a copy. */
export interface PreviewSourcesTable {
  projectId: string;
  databaseId: string;
  ownerId: string;
}

/** A copy that a preview has, and which goes with it. */
export interface PreviewCopiesTable {
  databaseId: string;
  /** The preview. */
  projectId: string;
  /** What it is a copy of; null where that was deleted. */
  sourceId: string | null;
  ownerId: string;
}
