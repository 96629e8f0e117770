import { digestOf } from './registry-client.ts';
import type { Made } from './registry-space-world.ts';

export interface Kept extends Made {
  children: string[];
  subject: string | undefined;
  wasTagged: boolean;
  /** Pushed since time was last told to pass. */
  isRecent: boolean;
}

/** One repository as anyone would keep it in their head. */
export class Repository {
  readonly name: string;
  readonly manifests = new Map<string, Kept>();
  readonly tags = new Map<string, string>();
  /** Bytes of each blob that is there. */
  readonly blobs = new Map<string, number>();
  /** Blobs that were asked for since time was last told to pass. */
  readonly recent = new Set<string>();

  constructor(name: string) {
    this.name = name;
  }

  needs(digest: string): boolean {
    return [...this.manifests.values()].some(({ blobs }) => blobs.some((blob) => digestOf(blob) === digest));
  }

  keep(made: Omit<Kept, 'wasTagged' | 'isRecent'>, tag: string | undefined): void {
    for (const blob of made.blobs) {
      this.blobs.set(digestOf(blob), blob.length);
      this.recent.add(digestOf(blob));
    }
    const wasTagged = tag !== undefined || this.manifests.get(made.digest)?.wasTagged === true;
    this.manifests.set(made.digest, { ...made, wasTagged, isRecent: true });
    if (tag !== undefined) this.tags.set(tag, made.digest);
  }

  #hasParent(digest: string): boolean {
    return [...this.manifests.values()].some(({ children }) => children.includes(digest));
  }

  /** What these keep: what they name, are about, or are spoken of by, and so on. */
  #keptBy(roots: string[]): Set<string> {
    const kept = new Set(roots);
    const all = [...this.manifests.values()];
    for (let before = -1; before < kept.size; ) {
      before = kept.size;
      for (const { digest, children, subject } of all) {
        if (subject !== undefined && kept.has(subject) && this.manifests.has(subject)) kept.add(digest);
        if (kept.has(digest)) for (const needed of [...children, subject ?? digest]) kept.add(needed);
      }
    }
    return kept;
  }

  /** Digests of those that are listed as untagged, in order. */
  get untagged(): string[] {
    const kept = this.#keptBy([...this.tags.values()]);
    return [...this.manifests.keys()]
      .filter((digest) => !kept.has(digest) && !this.#hasParent(digest))
      .toSorted();
  }

  /** Deletes what nothing with a tag needs, nor a push that may go on. */
  clean(): void {
    const isFresh = ({ digest, wasTagged, isRecent, subject }: Kept) =>
      !wasTagged && isRecent && !this.#hasParent(digest) && !this.manifests.has(subject ?? '');
    const fresh = [...this.manifests.values()].filter(isFresh).map(({ digest }) => digest);
    const kept = this.#keptBy([...this.tags.values(), ...fresh]);
    this.#delete([...this.manifests.keys()].filter((digest) => !kept.has(digest)));
  }

  #delete(going: Iterable<string>): void {
    const freed = [...going]
      .flatMap((digest) => this.manifests.get(digest)?.blobs ?? [])
      .map((blob) => digestOf(blob));
    for (const digest of going) this.manifests.delete(digest);
    for (const digest of freed) if (!this.needs(digest)) this.blobs.delete(digest);
  }

  remove(tag: string): void {
    const root = this.tags.get(tag) ?? '';
    this.tags.delete(tag);
    this.drop(root);
  }

  /** As the rule says it: what the name held goes, but for what anything that stays has to do with. */
  drop(root: string): void {
    const going = new Set([root]);
    const named = new Set(this.tags.values());
    const all = [...this.manifests.values()];
    for (let before = 0; before < going.size; ) {
      before = going.size;
      for (const { digest, children, subject } of all) {
        if (subject !== undefined && going.has(subject)) going.add(digest);
        if (going.has(digest)) for (const child of children) going.add(child);
      }
    }
    const stays = (digest: string) => this.manifests.has(digest) && !going.has(digest);
    const isHeld = (digest: string) =>
      named.has(digest) ||
      all.some((other) => stays(other.digest) && [...other.children, other.subject].includes(digest)) ||
      (digest !== root && stays(this.manifests.get(digest)?.subject ?? ''));
    for (let held: string | undefined = root; held !== undefined; ) {
      held = [...going].find(isHeld);
      if (held !== undefined) going.delete(held);
    }
    this.#delete(going);
  }

  sweep(): void {
    for (const digest of [...this.blobs.keys()]) {
      if (!this.recent.has(digest) && !this.needs(digest)) this.blobs.delete(digest);
    }
  }

  get used(): number {
    const sizes = [
      ...this.blobs.values(),
      ...[...this.manifests.values()].map(({ content }) => content.length),
    ];
    return sizes.reduce((sum, size) => sum + size, 0);
  }
}
