import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface ContainerRepositoriesTable {
  id: Generated<string>;
  ownerId: string;
  /** `<handle>/<name>`. */
  name: string;
  isPublic: Generated<boolean>;
  createdAt: GeneratedInstant;
}

/** One tag of a repository: a card of the screen. */
export interface ContainerImagesTable {
  id: Generated<string>;
  ownerId: string;
  repositoryId: string;
  tag: string;
  /** The manifest it names; null while it is only reserved. */
  digest: string | null;
  pullCount: Generated<number>;
  pushedAt: string | null;
  createdAt: GeneratedInstant;
}

export interface ContainerManifestsTable {
  id: Generated<string>;
  repositoryId: string;
  /** `<algorithm>:<lower-case hex>`. */
  digest: string;
  mediaType: string;
  /** As `referrers` filters by it: the manifest's own, else its config's media type; '' where it has neither. */
  artifactType: string;
  /** Digest of the manifest that this one is about, which need not be there. */
  subject: string | null;
  /** Byte for byte as it was pushed. */
  content: Buffer;
  /** Bytes of `content`. */
  size: number;
  /** JSON object of strings. */
  annotations: string;
  /** Bytes of all distinct blobs that it and the manifests below it name. */
  imageSize: number;
  /** Whether a tag has ever named it: one that was only pushed by its digest may be part of a push that goes on. */
  wasTagged: Generated<boolean>;
  /** When it was pushed last. */
  pushedAt: GeneratedInstant;
}

/** What a manifest names. */
export interface ContainerReferencesTable {
  repositoryId: string;
  manifest: string;
  digest: string;
  kind: 'blob' | 'manifest';
  /** As the manifest says. */
  size: number;
}

/** Blobs in the object store: one for all repositories. */
export interface ContainerBlobsTable {
  digest: string;
  size: number;
  createdAt: GeneratedInstant;
}

/** In which repositories a blob can be seen. */
export interface ContainerBlobLinksTable {
  repositoryId: string;
  digest: string;
  createdAt: GeneratedInstant;
  /** When it was last asked for, uploaded or mounted, or lost the last manifest of a client's deletion; to the hour. */
  askedAt: GeneratedInstant;
}

/** Whose the object store's uploads are. */
export interface ContainerUploadsTable {
  id: string;
  ownerId: string;
  /** Name of the repository, which need not be there yet. */
  repository: string;
  /** Bytes that it has, or may have without asking again. */
  size: Generated<number>;
  /** When its size last changed. */
  touchedAt: GeneratedInstant;
  createdAt: GeneratedInstant;
}

/** By which rule tags of a repository are deleted each night. */
export interface ContainerRetentionTable {
  repositoryId: string;
  ownerId: string;
  /** Patterns of tags; `keepMatching` is '' for none. */
  matching: string;
  keepMatching: string;
  keepLast: number;
  olderThanDays: number;
  untagged: boolean;
  nextRunAt: string;
  /** Its last run; null before the first one, and once the rule was set anew. */
  ranAt: string | null;
  ranTags: Generated<number>;
  /** Bytes. */
  ranSize: Generated<number>;
}

/** What is kept of another registry. */
export interface MirroredContentsTable {
  digest: string;
  /** Bytes. */
  size: number;
  /** A manifest's; '' for blobs. */
  mediaType: string;
  /** To some minutes. */
  usedAt: GeneratedInstant;
}

/** What tags of another registry named when it was asked last. */
export interface MirroredTagsTable {
  /** There. */
  name: string;
  tag: string;
  digest: string;
  checkedAt: GeneratedInstant;
}

/** One row, once a server has started. */
export interface RegistryHostTable {
  isOnly: Generated<boolean>;
  /** That of stored references to images of this registry. */
  host: string;
}
