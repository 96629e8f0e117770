/** The grammar of image names as Docker and Kubernetes read them: github.com/distribution/reference, `reference.go`. */

const COMPONENT = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const PATH = `${COMPONENT}(?:/${COMPONENT})*`;
const HOST_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const HOST = `(?:${HOST_LABEL}(?:\\.${HOST_LABEL})*|\\[[A-Fa-f0-9:]+\\])(?::[0-9]+)?`;
const TAG = '\\w[\\w.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}';

/** `<name>` of the OCI distribution spec 1.1. */
export const REPOSITORY_NAME = new RegExp(`^${PATH}$`);

const REFERENCE = new RegExp(`^(?<name>(?:${HOST}/)?${PATH})(?::(?<tag>${TAG}))?(?:@(?<digest>${DIGEST}))?$`);
/** Longest name in a reference, its registry included; the same source. */
const NAME_MAX = 255;

export const DEFAULT_IMAGE_TAG = 'latest';

const DOCKER_HUB = 'docker.io';
/** Where Docker Hub keeps the images that have no owner in their name. */
const DOCKER_HUB_LIBRARY = 'library/';

/** A reference taken apart, with what a short one leaves out. */
export interface ImageName {
  /** Host and port of its registry, for example `docker.io`. */
  host: string;
  /** Name of the repository there, for example `library/nginx`. */
  path: string;
  /** '' where only a digest says which. */
  tag: string;
  /** '' for whatever has the tag. */
  digest: string;
}

/** Undefined for what is no reference. */
export function readImageName(text: string): ImageName | undefined {
  const { name, tag, digest = '' } = REFERENCE.exec(text)?.groups ?? {};
  if (name === undefined || name.length > NAME_MAX) return undefined;
  const [first = '', ...rest] = name.split('/');
  const which = { tag: tag ?? (digest ? '' : DEFAULT_IMAGE_TAG), digest };
  if (rest.length === 0 || !isHost(first)) return { ...onDockerHub(name), ...which };
  const path = rest.join('/');
  if (!REPOSITORY_NAME.test(path)) return undefined;
  // One without a dot or port is told from a path by its capitals alone.
  const host = isPlainHost(first) ? first.toLowerCase() : first;
  return host === DOCKER_HUB || host === `index.${DOCKER_HUB}`
    ? { ...onDockerHub(path), ...which }
    : { host, path, ...which };
}

/** What comes before the first slash is a host where it could not be part of a path (`normalize.go`). */
function isHost(first: string): boolean {
  return isPlainHost(first) || /[A-Z]/.test(first);
}

function isPlainHost(first: string): boolean {
  return /[.:]/.test(first) || first.toLowerCase() === 'localhost';
}

function onDockerHub(path: string): Pick<ImageName, 'host' | 'path'> {
  return { host: DOCKER_HUB, path: path.includes('/') ? path : `${DOCKER_HUB_LIBRARY}${path}` };
}

/** The whole reference: registry, path, and tag, digest or both. */
export function imageReferenceOf({ host, path, tag, digest }: ImageName): string {
  return `${host}/${path}${tag && `:${tag}`}${digest && `@${digest}`}`;
}

/** As people write it: without what Docker Hub's short names leave out, and without its digest where it has a tag. */
export function shortImage(reference: string): string {
  const name = readImageName(reference);
  if (!name) return reference;
  const { host, path, tag, digest } = name;
  const plain = host === DOCKER_HUB ? path.replace(DOCKER_HUB_LIBRARY, '') : `${host}/${path}`;
  return tag ? `${plain}:${tag}` : `${plain}@${shortDigest(digest)}`;
}

const SHORT_DIGEST = 12;

/** The first characters of a digest's hex, without its algorithm, as Docker shows it. */
export function shortDigest(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1).slice(0, SHORT_DIGEST);
}
