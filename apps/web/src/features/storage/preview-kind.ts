import { isPreviewable } from '@nephos/contracts/constants';

const TEXT = /^text\/|^application\/(?:json|xml|yaml|toml|javascript|sql|x-sh|x-yaml)$|\+(?:json|xml|yaml)$/;

/** How a file of this type can be looked at; null where it has to be downloaded. Text is shown as its source. */
export function previewKind(mimeType: string): 'image' | 'text' | null {
  if (TEXT.test(mimeType)) return 'text';
  return isPreviewable(mimeType) ? 'image' : null;
}
