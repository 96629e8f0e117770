/** A manifest refers to another: an index to its child, a signature to its subject. */
export interface ManifestReference {
  from: string;
  to: string;
  kind: 'child' | 'subject';
}

export interface ManifestGraph {
  /** The manifest that loses a name. */
  root: string;
  /** The root, and what can be reached from it by going down to children and up to referrers. */
  reachable: readonly string[];
  /** Those of `reachable` that a tag names. */
  tagged: ReadonlySet<string>;
  /** Every reference of the repository to one of `reachable`, and every one of theirs to a subject that is there. */
  references: readonly ManifestReference[];
}

/**
 * The manifests that go with the root's name: all that are reached from it, but for those that have a tag, those that a
 * manifest which stays refers to, and those about a subject that stays. The root goes also where its subject stays: a
 * signature that had a tag is deleted by it.
 */
export function unneededManifests({ root, reachable, tagged, references }: ManifestGraph): Set<string> {
  const unneeded = new Set(reachable.filter((digest) => !tagged.has(digest)));
  let size: number;
  do {
    size = unneeded.size;
    for (const { from, to, kind } of references) {
      if (!unneeded.has(from)) unneeded.delete(to);
      if (kind === 'subject' && from !== root && !unneeded.has(to)) unneeded.delete(from);
    }
  } while (unneeded.size < size);
  return unneeded;
}
