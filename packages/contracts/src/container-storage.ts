import { z } from 'zod';
import { Id } from './page.ts';

/** What goes when something of a repository is deleted. */
export const ImageDeletion = z.object({
  /** Images, those of their platforms, and those that refer to them as their subject. */
  manifests: z.int(),
  /** Layers and configs that nothing else in the repository uses. */
  blobs: z.int(),
  /** Bytes of both: what it frees of the plan's storage. */
  size: z.int(),
});
export type ImageDeletion = z.output<typeof ImageDeletion>;

/**
 * An image that no tag needs any more, nor an index or referrer that a tag needs: what a push of the same tag leaves
 * behind. The platforms of an index are part of it, and no rows of their own.
 */
export const UntaggedImage = z.object({
  id: Id,
  digest: z.string(),
  mediaType: z.string(),
  /** What it is where it is no image, for example `application/vnd.example.signature`; else its config's media type. */
  artifactType: z.string(),
  /** Digest of the image that it is about; null for almost all. */
  subject: z.string().nullable(),
  /** Compressed bytes of its layers and configs, shared ones included. */
  size: z.int(),
  pushedAt: z.iso.datetime(),
  /**
   * It, or what it is about, was pushed within the last day by its digest alone: perhaps part of a push that goes on,
   * whose index or tag is yet to come. It can be deleted by itself, and stays when all are.
   */
  isRecent: z.boolean(),
  /** Which project needs it and what for, as a sentence; '' where none does. It cannot be deleted until then. */
  keptBecause: z.string(),
});
export type UntaggedImage = z.output<typeof UntaggedImage>;

/** With what goes with it: its platforms and signatures, but for what anything that stays needs. */
export const UntaggedImageDetail = UntaggedImage.extend({ deletion: ImageDeletion });
export type UntaggedImageDetail = z.output<typeof UntaggedImageDetail>;

/** What of one repository, or of all, is untagged. */
const Untagged = z.object({
  /** As many as are listed. */
  images: z.int(),
  /** How many of them stay when all are deleted, see `UntaggedImage.isRecent`. */
  recent: z.int(),
  /** How many stay besides, see `UntaggedImage.keptBecause`. */
  needed: z.int(),
  /** What goes when all are deleted. */
  deletion: ImageDeletion,
});

/** All tags of one name, and what was pushed under it. */
export const ImageRepository = z.object({
  id: Id,
  /** `<handle>/<name>`. */
  name: z.string(),
  isPublic: z.boolean(),
  tags: z.int(),
  /** Bytes that it uses of the plan's storage: each layer once, and what no image names yet or any more. */
  size: z.int(),
  untagged: Untagged,
});
export type ImageRepository = z.output<typeof ImageRepository>;

/** What a person's images use of their plan's storage, which they share with files. */
export const ImageStorage = z.object({
  /** Bytes; a layer that two repositories have counts in both. */
  size: z.int(),
  untagged: Untagged,
});
export type ImageStorage = z.output<typeof ImageStorage>;
