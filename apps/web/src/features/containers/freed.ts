import type { ContainerImageDetail, ImageDeletion, ImageRepository, UntaggedImage } from '@nephos/contracts';
import { formatSize } from '../../lib/format.ts';

function counted(count: number, one: string, many: string): string {
  return count === 1 ? `one ${one}` : `${count} ${many}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Before one untagged image is deleted: what goes, and what that frees, for example `One manifest and 3 layers and
 * configs that nothing else in the repository uses go. 4.00 MB are freed.`
 */
export function whatOneFrees({ manifests, blobs, size }: ImageDeletion): string {
  const named = capital(counted(manifests, 'manifest', 'manifests'));
  const own =
    blobs === 0
      ? `${named} ${manifests === 1 ? 'goes' : 'go'}; the layers stay, since other images use them`
      : `${named} and ${counted(blobs, 'layer or config', 'layers and configs')} that nothing else in the repository uses go`;
  return `${own}. ${formatSize(size)} are freed.`;
}

/** Before all untagged images of a repository are deleted: what goes, what that frees, and what stays. */
export function whatAllFree({ images, recent, deletion }: ImageRepository['untagged']): string {
  const going = images - recent;
  const are = `${capital(counted(going, 'untagged image is', 'untagged images are'))} deleted.`;
  return [are, whatOneFrees(deletion), ...(recent > 0 ? [whatStays(recent)] : [])].join(' ');
}

/** Why images that were just pushed by their digests stay. */
function whatStays(recent: number): string {
  return recent === 1
    ? 'One was pushed without a tag within the last day and stays: its push may still go on.'
    : `${recent} were pushed without a tag within the last day and stay: their push may still go on.`;
}

/** After a deletion: what it has freed. */
export function whatWasFreed({ manifests, size }: ImageDeletion): string {
  return manifests === 0
    ? 'There was nothing left to delete.'
    : `${formatSize(size)} of your storage are free again.`;
}

const INDEXES = /\.image\.index\.|\.manifest\.list\./;
const CONFIGS = /^application\/vnd\.(oci\.image\.config|docker\.container\.image)\./;

/** What an untagged image is, in a word or by its type. */
export function kindOf({ mediaType, artifactType }: UntaggedImage): string {
  if (artifactType && !CONFIGS.test(artifactType)) return artifactType;
  return INDEXES.test(mediaType) ? 'Image of several platforms' : 'Image';
}

function others(tags: readonly string[]): string {
  const [first, ...rest] = tags;
  if (rest.length === 0) return `${first}`;
  return rest.length === 1 ? `${first} and ${rest[0]}` : `${first} and ${rest.length} other tags`;
}

/** What goes with a tag that is deleted and what stays, in a sentence or two. */
export function whatGoes({ id, digest, tags, deletion }: ContainerImageDetail): string {
  const { manifests, blobs, size } = deletion;
  if (digest === null) return 'Nothing was pushed under it yet: only the reserved name goes.';
  const same = tags.filter((tag) => tag.id !== id && tag.digest === digest).map(({ tag }) => tag);
  if (same.length > 0) return `Only the name goes: the same image stays as ${others(same)}.`;
  if (manifests === 0) {
    return 'Only the name goes: something else in the repository refers to the image, so it stays.';
  }
  const image =
    manifests === 1 ? 'Its manifest' : `Its ${manifests} manifests, signatures and the like included,`;
  const freed = `${formatSize(size)} are freed.`;
  if (blobs === 0) {
    const deleted = `${image} ${manifests === 1 ? 'is' : 'are'} deleted too; ${freed}`;
    return `${deleted} Its layers stay, since other images use them.`;
  }
  const layers = blobs === 1 ? 'one layer or config' : `${blobs} layers and configs`;
  return `${image} and ${layers} that no other image uses are deleted too; ${freed}`;
}
