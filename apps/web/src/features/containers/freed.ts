import type { ContainerImageDetail, ImageDeletion, ImageRepository, UntaggedImage } from '@nephos/contracts';
import { formatSize } from '../../lib/format.ts';

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * Before one untagged image is deleted: what goes, and what that frees, for example `Deletes 1 manifest and 3 layers
 * that nothing else in the repository uses. Frees 4.00 MB.`
 */
export function whatOneFrees(deletion: ImageDeletion): string {
  return `Deletes ${partsOf(deletion)}`;
}

function partsOf({ manifests, blobs, size }: ImageDeletion): string {
  const named = counted(manifests, 'manifest', 'manifests');
  return blobs === 0
    ? `${named}. Frees ${formatSize(size)}; the layers stay because other images use them.`
    : `${named} and ${layersOf(blobs)} that nothing else in the repository uses. Frees ${formatSize(size)}.`;
}

/** A config counts as one of the layers it is stored with. */
function layersOf(blobs: number): string {
  return counted(blobs, 'layer', 'layers');
}

/** Before all untagged images of a repository are deleted: what goes, what that frees, and what stays. */
export function whatAllFree({ images, recent, needed, deletion }: ImageRepository['untagged']): string {
  const going = counted(images - recent - needed, 'untagged image', 'untagged images');
  const sentences = [`Deletes ${going}: ${partsOf(deletion)}`];
  if (recent > 0) sentences.push(whatIsPushed(recent));
  if (needed > 0) {
    sentences.push(
      `${counted(needed, 'image that a project needs is', 'images that projects need are')} kept.`,
    );
  }
  return sentences.join(' ');
}

/** Why images that were just pushed by their digests stay. */
function whatIsPushed(recent: number): string {
  return recent === 1
    ? '1 image pushed in the last day is kept, since its push may still be in progress.'
    : `${recent} images pushed in the last day are kept, since their push may still be in progress.`;
}

/** After a deletion: what it has freed. */
export function whatWasFreed({ manifests, size }: ImageDeletion): string {
  return manifests === 0 ? 'There was nothing to delete.' : `Freed ${formatSize(size)} of storage.`;
}

const INDEXES = /\.image\.index\.|\.manifest\.list\./;
const CONFIGS = /^application\/vnd\.(oci\.image\.config|docker\.container\.image)\./;

/** What an untagged image is, in a word or by its type. */
export function kindOf({ mediaType, artifactType }: UntaggedImage): string {
  if (artifactType && !CONFIGS.test(artifactType)) return artifactType;
  return INDEXES.test(mediaType) ? 'Multi-platform image' : 'Image';
}

function others(tags: readonly string[]): string {
  const [first, ...rest] = tags;
  if (rest.length === 0) return `${first}`;
  return rest.length === 1 ? `${first} and ${rest[0]}` : `${first} and ${rest.length} other tags`;
}

/** What goes with a tag that is deleted and what stays, in a sentence or two. */
export function whatGoes({ id, digest, tags, deletion }: ContainerImageDetail): string {
  const { manifests, blobs, size } = deletion;
  if (digest === null) return 'Nothing has been pushed to it yet, so only the reserved name is removed.';
  const same = tags.filter((tag) => tag.id !== id && tag.digest === digest).map(({ tag }) => tag);
  if (same.length > 0) return `Only this tag is removed: the image is still tagged ${others(same)}.`;
  if (manifests === 0) {
    return 'Only this tag is removed: the image stays because something else in the repository refers to it.';
  }
  const image = manifests === 1 ? 'its manifest' : `its ${manifests} manifests, including signatures,`;
  return blobs === 0
    ? `This also deletes ${image} and frees ${formatSize(size)}. Its layers stay because other images use them.`
    : `This also deletes ${image} and ${layersOf(blobs)} that no other image uses. Frees ${formatSize(size)}.`;
}
