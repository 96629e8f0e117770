import type { ContainerImageDetail } from '@nephos/contracts';
import { formatSize } from '../../lib/format.ts';

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
