import { z } from 'zod';
import { DEFAULT_IMAGE_TAG, IMAGE_SORTS } from './constants.ts';
import { containerRetention } from './container-retention.ts';
import {
  ImageDeletion,
  ImageRepository,
  ImageStorage,
  UntaggedImage,
  UntaggedImageDetail,
} from './container-storage.ts';
import { imageReferenceOf, REPOSITORY_NAME, readImageName } from './image-names.ts';
import { mutation, query, subscription } from './kit.ts';
import { ById, Id, listPage, OptionalPage, Page, Success } from './page.ts';
import { line } from './text.ts';

/** Longest repository name, its owner's handle included. */
export const REPOSITORY_NAME_MAX = 200;

/** `<reference>` of the OCI distribution spec 1.1, as a tag. */
export const IMAGE_TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;

/** A repository's name, with or without the owner's handle before it. */
export const RepositoryName = z
  .string('Name is required.')
  .overwrite((name) => name.trim())
  .min(1, 'Name is required.')
  .max(REPOSITORY_NAME_MAX, `Name can have at most ${REPOSITORY_NAME_MAX} characters.`)
  .regex(
    REPOSITORY_NAME,
    'Use lowercase letters and digits, with single . _ or - between them and / between parts.',
  );

export const ImageTag = z
  .string()
  .regex(
    IMAGE_TAG,
    "Tag can have up to 128 letters, digits and . _ - characters, and can't start with . or -.",
  );

const REFERENCE_MAX = 500;
const NO_REFERENCE = 'Enter an image reference, like registry.example.com/ada/shop:1.2.';

function isImage(reference: string): boolean {
  return readImageName(reference) !== undefined;
}

function spelledOut(reference: string): string {
  const name = readImageName(reference);
  return name ? imageReferenceOf(name) : reference;
}

/** For example `nginx`, `localhost:3000/ada/shop:1.2` or `ghcr.io/ada/shop@sha256:…`. */
export const ImageReference = line(REFERENCE_MAX, 'Image').refine(isImage, NO_REFERENCE);

/** The same spelled out, as `docker.io/library/nginx:latest` for `nginx`; '' for none. */
export const ImageOrNone = z
  .string()
  .overwrite((reference) => spelledOut(reference.trim()))
  .max(REFERENCE_MAX, `References can be up to ${REFERENCE_MAX} characters long.`)
  .refine((reference) => reference === '' || isImage(reference), NO_REFERENCE);

/** One tag of a repository: the same name under two tags is two images. */
export const ContainerImage = z.object({
  id: Id,
  /** `<handle>/<name>`. */
  name: z.string(),
  tag: z.string(),
  /** The repository's, so it is the same for all of its tags. */
  isPublic: z.boolean(),
  /**
   * Compressed bytes: the config and layers of the image, each distinct blob once; for an index, those of all of its
   * platforms. 0 before the first push.
   */
  size: z.int(),
  /** How often the image was pulled by this tag. */
  pullCount: z.int(),
  /** Digest of the manifest that was pushed last; null before the first push. */
  digest: z.string().nullable(),
  mediaType: z.string().nullable(),
  pushedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type ContainerImage = z.output<typeof ContainerImage>;

export const ImageLayer = z.object({
  digest: z.string(),
  mediaType: z.string(),
  /** Compressed bytes. */
  size: z.int(),
});

/** One image of those that a tag stands for: an index has several, everything else is one. */
export const ImagePlatform = z.object({
  digest: z.string(),
  mediaType: z.string(),
  /** For example `linux`; '' where the image does not say. */
  os: z.string(),
  architecture: z.string(),
  variant: z.string(),
  /** Compressed bytes of its config and layers. */
  size: z.int(),
  layers: z.array(ImageLayer),
});

/** A manifest that refers to this one as its subject: a signature, an attestation, a bill of materials. */
export const ImageReferrer = z.object({
  digest: z.string(),
  mediaType: z.string(),
  artifactType: z.string(),
  size: z.int(),
  annotations: z.record(z.string(), z.string()),
});

/** What the page of an image shows. */
export const ContainerImageDetail = ContainerImage.extend({
  repositoryId: Id,
  /** All tags of the repository, this one included, the newest push first. */
  tags: z.array(
    ContainerImage.pick({
      ...{ id: true, tag: true, digest: true, size: true, pullCount: true, pushedAt: true },
    }).extend({
      /** Which project needs the tag or the image that it names, as a sentence; '' where none does. */
      keptBecause: z.string(),
    }),
  ),
  /** Empty before the first push. */
  platforms: z.array(ImagePlatform),
  referrers: z.array(ImageReferrer),
  /** What goes with the tag: nothing but its name where the repository needs all of its image. */
  deletion: ImageDeletion,
  /**
   * Which project needs the tag or its image and what for, as a sentence, so that neither can be deleted; '' where none
   * does.
   */
  keptBecause: z.string(),
});
export type ContainerImageDetail = z.output<typeof ContainerImageDetail>;

export const NewContainerImage = z.object({
  /** Without the owner's handle before it, it is put there. */
  name: RepositoryName,
  tag: ImageTag.default(DEFAULT_IMAGE_TAG),
  /** The repository's: given, it holds for all of its tags; absent, it stays as it is, private at first. */
  isPublic: z.boolean().optional(),
});
export type NewContainerImage = z.input<typeof NewContainerImage>;

/** Where clients reach the registry, for the commands of 'Pull Instructions'. */
export const RegistryAddress = z.object({
  /** Host and port as an image's reference begins, for example `localhost:3000`. */
  host: z.string(),
  /** Whether it is reached by https; clients refuse plain http but to this machine unless told. */
  secure: z.boolean(),
  /** Handle of the workspace: its images' names begin with it and a slash. */
  namespace: z.string(),
});
export type RegistryAddress = z.output<typeof RegistryAddress>;

export const ImagePage = listPage(IMAGE_SORTS).optional();

export const containers = {
  list: query({
    summary: 'Your container images, newest first; searched by name, tag and digest',
    route: 'GET /api/containers',
    forAssistant: true,
    input: ImagePage,
    output: z.array(ContainerImage),
  }),
  create: mutation({
    summary: 'Register an image, which reserves its name and tag until you push',
    route: 'POST /api/containers',
    status: 201,
    perMinute: 30,
    input: NewContainerImage,
    output: ContainerImage,
  }),
  get: query({
    summary: 'One image with its tags, platforms, layers and referrers',
    route: 'GET /api/containers/{id}',
    forAssistant: true,
    input: ById,
    output: ContainerImageDetail,
  }),
  update: mutation({
    summary: "Make an image's repository, with all of its tags, public or private",
    route: 'PATCH /api/containers/{id}',
    perMinute: 30,
    input: z.object({ id: Id, isPublic: z.boolean() }),
    output: ContainerImage,
  }),
  remove: mutation({
    summary:
      'Delete a tag and the data only its image uses, unless a project needs any of it (409); deleting the last tag makes the repository private again',
    route: 'DELETE /api/containers/{id}',
    fresh: true,
    perMinute: 60,
    input: ById,
    output: Success,
  }),
  registry: query({
    summary: 'Address of the registry',
    route: 'GET /api/registry',
    forAssistant: true,
    output: RegistryAddress,
  }),
  storage: query({
    summary: 'Storage used by your images, and how much of it is untagged; sizes in bytes',
    route: 'GET /api/registry/storage',
    forAssistant: true,
    output: ImageStorage,
  }),
  repositories: query({
    summary: 'Your non-empty repositories with their storage, in total and untagged, newest first',
    route: 'GET /api/registry/repositories',
    perMinute: 120,
    forAssistant: true,
    input: OptionalPage,
    output: z.array(ImageRepository),
  }),
  repository: query({
    summary: 'One repository with its storage, in total and untagged',
    route: 'GET /api/registry/repositories/{id}',
    input: ById,
    output: ImageRepository,
  }),
  untagged: query({
    summary: 'The untagged images of a repository, newest first',
    route: 'GET /api/registry/repositories/{id}/untagged',
    input: ById.extend(Page.shape),
    output: z.array(UntaggedImage),
  }),
  removeUntagged: mutation({
    summary:
      'Delete all untagged images of a repository except recent pushes and what a project needs; returns what was deleted',
    route: 'DELETE /api/registry/repositories/{id}/untagged',
    perMinute: 30,
    input: ById,
    output: ImageDeletion,
  }),
  untaggedImage: query({
    summary: 'One untagged image, with what deleting it would remove',
    route: 'GET /api/registry/untagged/{id}',
    input: ById,
    output: UntaggedImageDetail,
  }),
  removeUntaggedImage: mutation({
    summary:
      'Delete one untagged image and the data only it uses, unless a project needs any of it (409); returns what was deleted',
    route: 'DELETE /api/registry/untagged/{id}',
    perMinute: 60,
    input: ById,
    output: ImageDeletion,
  }),
  ...containerRetention,
  /** An event says that what the reads above answer has changed, by whatever client; once a second at most. */
  changes: subscription({
    summary: 'An event whenever your images change',
    input: z.object({ lastEventId: z.string().optional() }).optional(),
    output: z.object({ at: z.iso.datetime() }),
  }),
};
