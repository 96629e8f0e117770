import { randomBytes } from 'node:crypto';
import {
  type Algorithm,
  type Descriptor,
  descriptorOf,
  digestOf,
  OCI_CONFIG,
  OCI_INDEX,
  OCI_LAYER,
  OCI_MANIFEST,
} from './registry-client.ts';

export interface ManifestToPush {
  content: string;
  mediaType: string;
  digest: string;
  /** Digest of its subject. */
  subject?: string | undefined;
  artifactType?: string | undefined;
}

/** What is pushed for one of the kinds of data that a registry has to keep. */
export interface DataKind {
  name: string;
  blobs: Buffer[];
  /** In the order of their pushes; the last one gets the tag. */
  manifests: ManifestToPush[];
}

const DOCKER_MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const DOCKER_LIST = 'application/vnd.docker.distribution.manifest.list.v2+json';
const EMPTY = 'application/vnd.oci.empty.v1+json';

/** The kinds of data of the OCI conformance suite, and Docker's two, with random content. */
export function dataKinds(algorithm: Algorithm): DataKind[] {
  const blobs: Buffer[] = [];
  const add = (mediaType: string, content: Buffer): Descriptor => {
    blobs.push(content);
    return descriptorOf(mediaType, content, algorithm);
  };
  const layer = (mediaType = OCI_LAYER) => add(mediaType, randomBytes(600));
  const config = (mediaType = OCI_CONFIG) =>
    add(
      mediaType,
      Buffer.from(JSON.stringify({ architecture: 'amd64', os: 'linux', id: randomBytes(8).toString('hex') })),
    );
  const manifest = (mediaType: string, rest: Record<string, unknown>): ManifestToPush => {
    const content = JSON.stringify({ schemaVersion: 2, mediaType, ...rest });
    const {
      subject,
      artifactType,
      config: itsConfig,
    } = rest as {
      subject?: Descriptor;
      artifactType?: string;
      config?: Descriptor;
    };
    return {
      content,
      mediaType,
      digest: digestOf(content, algorithm),
      subject: subject?.digest,
      artifactType: artifactType ?? itsConfig?.mediaType,
    };
  };
  const image = (rest: Record<string, unknown> = {}) =>
    manifest(OCI_MANIFEST, { config: config(), layers: [layer(), layer()], ...rest });
  const empty = () => add(EMPTY, Buffer.from('{}'));
  const artifact = (rest: Record<string, unknown> = {}) =>
    manifest(OCI_MANIFEST, {
      artifactType: 'application/vnd.example.a',
      config: empty(),
      layers: [empty()],
      ...rest,
    });
  const asChild = ({ content, mediaType }: ManifestToPush, architecture = 'amd64') => ({
    ...descriptorOf(mediaType, content, algorithm),
    platform: { os: 'linux', architecture },
  });
  const index = (children: ManifestToPush[], rest: Record<string, unknown> = {}) =>
    manifest(OCI_INDEX, { manifests: children.map((child) => asChild(child)), ...rest });
  const subjectOf = ({ content, mediaType }: ManifestToPush) => descriptorOf(mediaType, content, algorithm);

  const kinds: DataKind[] = [];
  const kind = (name: string, make: () => ManifestToPush[]) => {
    blobs.length = 0;
    const manifests = make();
    kinds.push({ name, blobs: [...blobs], manifests });
  };

  kind('image', () => [image()]);
  kind('index', () => {
    const children = [image(), image()];
    return [...children, index(children)];
  });
  kind('nested-index', () => {
    const leaf = image();
    const inner = index([leaf]);
    return [leaf, inner, index([inner])];
  });
  kind('artifact', () => [artifact()]);
  kind('subject', () => {
    const subject = image();
    const referrer = artifact({ subject: subjectOf(subject), annotations: { 'org.example.one': 'two' } });
    return [subject, referrer];
  });
  kind('subject-missing', () => [artifact({ subject: subjectOf(image()) })]);
  kind('artifact-list', () => {
    const children = [artifact(), artifact()];
    return [...children, index(children, { artifactType: 'application/vnd.example.list' })];
  });
  kind('subject-list', () => {
    const subject = image();
    const child = artifact();
    const rest = { artifactType: 'application/vnd.example.list', subject: subjectOf(subject) };
    return [subject, child, index([child], rest)];
  });
  kind('data-field', () => {
    const text = Buffer.from(JSON.stringify({ id: randomBytes(4).toString('hex') }));
    const described = { ...add(OCI_CONFIG, text), data: text.toString('base64') };
    return [manifest(OCI_MANIFEST, { config: described, layers: [layer()] })];
  });
  kind('non-distributable', () => {
    const elsewhere = {
      ...descriptorOf('application/vnd.oci.image.layer.nondistributable.v1.tar', randomBytes(50), algorithm),
      urls: ['https://example.com/layer'],
    };
    return [manifest(OCI_MANIFEST, { config: config(), layers: [layer(), elsewhere] })];
  });
  kind('custom-fields', () => [image({ 'org.example.field': { deep: [1, null, 'ü'] } })]);
  kind('no-layers', () => [manifest(OCI_MANIFEST, { config: config(), layers: [] })]);
  kind('docker-image', () => [
    manifest(DOCKER_MANIFEST, {
      config: config('application/vnd.docker.container.image.v1+json'),
      layers: [layer('application/vnd.docker.image.rootfs.diff.tar.gzip')],
    }),
  ]);
  kind('docker-list', () => {
    const child = manifest(DOCKER_MANIFEST, {
      config: config('application/vnd.docker.container.image.v1+json'),
      layers: [layer('application/vnd.docker.image.rootfs.diff.tar.gzip')],
    });
    return [child, manifest(DOCKER_LIST, { manifests: [asChild(child)] })];
  });
  return kinds;
}
