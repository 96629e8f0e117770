import { z } from 'zod';
import { parseDigest } from './digest.ts';
import { badRequest } from './registry-error.ts';

/** Bytes; the spec asks registries to take at least this. */
export const MANIFEST_MAX = 4 * 1024 * 1024;

/** Blobs and manifests that one manifest may name. */
const REFERENCES_MAX = 1000;

export const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';

const IMAGES = new Set([
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]);
const INDEXES = new Set([OCI_INDEX, 'application/vnd.docker.distribution.manifest.list.v2+json']);
/** Release candidates of the OCI image spec 1.1 had it; older clients still push it. */
const ARTIFACT = 'application/vnd.oci.artifact.manifest.v1+json';

/** What a client says that it takes. */
export const MANIFEST_TYPES: readonly string[] = [...IMAGES, ...INDEXES];

/** Layers that their publisher lets nobody distribute: clients fetch them elsewhere. */
const NON_DISTRIBUTABLE =
  /^application\/vnd\.(oci\.image\.layer\.nondistributable\.|docker\.image\.rootfs\.foreign\.)/;

const Annotations = z.record(z.string(), z.string());

export const Descriptor = z.looseObject({
  mediaType: z.string(),
  digest: z.string().refine((text) => parseDigest(text) !== undefined, 'is not a digest'),
  size: z.int().min(0),
  platform: z
    .looseObject({ os: z.string(), architecture: z.string(), variant: z.string().optional() })
    .optional(),
});
export type Descriptor = z.output<typeof Descriptor>;

const Common = {
  mediaType: z.string().optional(),
  artifactType: z.string().optional(),
  subject: Descriptor.nullish(),
  annotations: Annotations.nullish(),
};

const ImageManifest = z.looseObject({
  ...Common,
  schemaVersion: z.literal(2),
  config: Descriptor,
  layers: z.array(Descriptor),
});
const ImageIndex = z.looseObject({
  ...Common,
  schemaVersion: z.literal(2),
  manifests: z.array(Descriptor),
});
const ArtifactManifest = z.looseObject({ ...Common, blobs: z.array(Descriptor).default([]) });

/** What the registry has to know of a manifest; everything else in it is the clients' affair. */
export interface Manifest {
  mediaType: string;
  artifactType: string;
  /** Digest. */
  subject: string | null;
  annotations: Record<string, string>;
  /** An image's config; it is no layer. */
  config: Descriptor | undefined;
  layers: Descriptor[];
  manifests: Descriptor[];
}

function invalid(message: string): Error {
  return badRequest('MANIFEST_INVALID', message);
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    throw invalid('The manifest is not valid JSON.');
  }
}

function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(`The manifest is not valid: ${issue?.path.join('.')} ${issue?.message}.`);
}

function readBody(kind: string, json: unknown) {
  if (IMAGES.has(kind)) {
    const { config, layers, ...rest } = checked(ImageManifest, json);
    return { ...rest, config, layers, manifests: [], fallbackType: config.mediaType };
  }
  if (INDEXES.has(kind)) {
    const { manifests, ...rest } = checked(ImageIndex, json);
    return { ...rest, config: undefined, layers: [], manifests, fallbackType: '' };
  }
  if (kind === ARTIFACT) {
    const { blobs, ...rest } = checked(ArtifactManifest, json);
    return { ...rest, config: undefined, layers: blobs, manifests: [], fallbackType: '' };
  }
  throw invalid(`Unsupported manifest type: ${kind || '(none)'}.`);
}

/** What each kind may say of itself. */
const Named = z.object({ mediaType: z.string().optional() });

/**
 * Reads an image manifest, an index, or one of their Docker forms. `contentType` is the request's header: it says what
 * the manifest is, and the manifest must not say otherwise. Throws MANIFEST_INVALID.
 */
export function parseManifest(content: Buffer, contentType: string | undefined): Manifest {
  const json = parseJson(content);
  const named = Named.safeParse(json).data?.mediaType;
  const mediaType = contentType ?? named ?? '';
  const kind = mediaType.split(';')[0]?.trim() ?? '';
  const { artifactType, fallbackType, subject, annotations, config, layers, manifests } = readBody(
    kind,
    json,
  );
  if (named !== undefined && named !== kind) {
    throw invalid(`The manifest's media type is ${named}, but it was sent as ${kind}.`);
  }
  if (layers.length + manifests.length > REFERENCES_MAX) {
    throw invalid(`A manifest can reference at most ${REFERENCES_MAX} others.`);
  }
  return {
    mediaType,
    artifactType: artifactType || fallbackType,
    subject: subject?.digest ?? null,
    annotations: annotations ?? {},
    config,
    layers,
    manifests,
  };
}

/** The blobs that must be in the repository before the manifest is. */
export function requiredBlobs({ config, layers }: Pick<Manifest, 'config' | 'layers'>): Descriptor[] {
  return [...(config ? [config] : []), ...layers].filter(
    ({ mediaType }) => !NON_DISTRIBUTABLE.test(mediaType),
  );
}
