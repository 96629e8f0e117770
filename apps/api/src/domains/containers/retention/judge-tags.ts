import type { RetentionRule } from '@nephos/contracts';
import { type Needed, whyTagKept } from '../needed.ts';

/** A tag that names an image. */
export interface PushedTag {
  id: string;
  tag: string;
  digest: string;
  pushedAt: string;
  /** Whether the image is there that it belongs to by its name, as tags of signatures do. */
  isOfOther: boolean;
}

/** A tag, and why it stays, as a sentence; '' where it goes. */
export type JudgedTag = PushedTag & { keptBecause: string };

const DAY_MS = 24 * 60 * 60 * 1000;

/** What clients without referrers name signatures and the like: by the digest of the image that they are about. */
const OF_OTHER = /^(sha256|sha512)-([0-9a-f]{64,128})(\.[a-z]+)?$/;

/** Digest of the image that a tag belongs to by its name; undefined for the tags of images. */
export function imageOfTag(tag: string): string | undefined {
  const [, algorithm, hex] = OF_OTHER.exec(tag) ?? [];
  return algorithm && `${algorithm}:${hex}`;
}

/** Whether `*` and characters that stand for themselves describe the whole text. Linear in its length. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length >= at + last.length && text.endsWith(last);
}

/** Says of each tag, the newest push first, whether a rule deletes it. What a project needs stays and is not counted. */
export function judgeTags(
  { matching, keepMatching, keepLast, olderThanDays }: RetentionRule,
  tags: readonly PushedTag[],
  { needed, now }: { needed: Needed; now: Date },
): JudgedTag[] {
  const youngest = now.getTime() - olderThanDays * DAY_MS;
  let counted = 0;
  function why(tag: PushedTag): string {
    const byProject = whyTagKept(needed, tag);
    if (byProject) return byProject;
    if (tag.isOfOther) return 'Kept because it belongs to another image of the repository.';
    if (!matchesPattern(tag.tag, matching)) return `Kept because it doesn't match "${matching}".`;
    if (keepMatching && matchesPattern(tag.tag, keepMatching))
      return `Kept because it matches "${keepMatching}".`;
    counted += 1;
    if (counted <= keepLast) {
      return keepLast === 1 ? 'Kept as the newest.' : `Kept as one of the newest ${keepLast}.`;
    }
    if (Date.parse(tag.pushedAt) <= youngest) return '';
    return `Kept because it was pushed within ${olderThanDays === 1 ? 'a day' : `${olderThanDays} days`}.`;
  }
  return tags.map((tag) => ({ ...tag, keptBecause: why(tag) }));
}
