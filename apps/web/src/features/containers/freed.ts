import type { ImageDeletion, ImageRepository, UntaggedImage } from '@nephos/contracts';
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
export function whatStays(recent: number): string {
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
