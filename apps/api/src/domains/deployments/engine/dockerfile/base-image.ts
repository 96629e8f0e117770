import type { Framework } from '@nephos/contracts';
import semver from 'semver';
import type { Settings } from '../../../../core/settings.ts';
import type { Plan } from '../detect/plan.ts';

export type BaseImages = Settings['baseImages'];

/** Settings by which administrators choose base images. */
export const BASE_IMAGE_SETTINGS = {
  node: 'BASE_IMAGE_NODE',
  python: 'BASE_IMAGE_PYTHON',
  debian: 'BASE_IMAGE_DEBIAN',
  static: 'BASE_IMAGE_STATIC',
} as const satisfies Record<keyof BaseImages, string>;

const OWN_NODE_MAJOR = process.versions.node.split('.')[0] ?? '24';
/** Versions with tags of their own, the best first: what nobody asks for gets the first. */
const NODE_MAJORS = [OWN_NODE_MAJOR, '24', '22', '20', '18', '16', '14'];
const PYTHON_MINORS = ['3.13', '3.14', '3.12', '3.11', '3.10', '3.9', '3.8'];

/** Greater than any number of a version, so that a range that has no upper bound there takes it. */
const NEWEST = 9999;

/** The image that a plan's commands run in. */
export function baseImageOf(
  framework: Framework,
  images: BaseImages,
  { node, python }: Pick<Plan, 'node' | 'python'>,
): string {
  return framework === 'python'
    ? withVersion(images.python, tagOf(python?.range ?? '*', PYTHON_MINORS))
    : withVersion(images.node, tagOf(node?.range ?? '*', NODE_MAJORS));
}

/** Of a release of Debian, as Dockerfiles of the marketplace's apps name it. */
const DEBIAN = /^FROM debian:([a-z]+)-slim$/gm;

/** A Dockerfile of an app of the marketplace, with the image of the settings in the place of Debian's own. */
export function onDebianImage(dockerfile: string, { debian }: Pick<BaseImages, 'debian'>): string {
  return dockerfile.replaceAll(DEBIAN, (_, release: string) => `FROM ${withVersion(debian, release)}`);
}

function withVersion(image: string, version: string): string {
  return image.replaceAll('{version}', version);
}

/** The shortest tag whose newest version fits: `22`, or `22.11`, or `22.11.0`. */
function tagOf(range: string, known: readonly string[]): string {
  const least = semver.minVersion(range);
  const ofLeast = least ? [`${least.major}`, `${least.major}.${least.minor}`, least.version] : [];
  const fits = (tag: string) => {
    const [major = 0, minor = NEWEST, patch = NEWEST] = tag.split('.').map(Number);
    return semver.satisfies(`${major}.${minor}.${patch}`, range);
  };
  return [...known, ...ofLeast].find(fits) ?? known[0] ?? '';
}

/** An image as people write it. */
export function shortName(image: string): string {
  return image.replace(/^docker\.io\/(library\/)?/, '').replace(/@sha256:[0-9a-f]+$/, '');
}

/** The setting that chooses an image; undefined where none does. */
export function settingOf(image: string, images: BaseImages): string | undefined {
  const whole = tagged(image);
  const kind = (['node', 'python', 'debian', 'static'] as const).find((name) => {
    const parts = tagged(images[name]).split('{version}');
    return new RegExp(`^${parts.map(escapeText).join('\\w[\\w.-]*')}$`).test(whole);
  });
  return kind && BASE_IMAGE_SETTINGS[kind];
}

function tagged(image: string): string {
  const name = shortName(image);
  return /:[^/]*$/.test(name) ? name : `${name}:latest`;
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
