import { createSecretTrie, ROOT, type SecretTrie } from './secret-trie.ts';

const MASK = '***';
/** Shorter values are too likely to be ordinary words of a log. */
const MIN_LENGTH = 6;

/** Replaces secrets in text that comes in pieces; a piece's end that may begin a secret waits for the next. */
export interface Masker {
  push(piece: string): string;
  /** What still waits, when no piece follows. */
  flush(): string;
}

/**
 * Makes one masker per stream for the given secrets; those under six characters stay readable. Of secrets that overlap
 * in a text, the one that begins first is masked, and of those that begin together the longest. The work grows with the
 * secrets and the text, and never with their product.
 */
export function createMasking(values: Iterable<string>): () => Masker {
  const secrets = [...new Set([...values].map(clean))].filter((value) => value.length >= MIN_LENGTH);
  if (secrets.length === 0) return () => ({ push: (piece) => piece, flush: () => '' });
  secrets.sort((a, b) => b.length - a.length);
  const trie = createSecretTrie(secrets);
  const exits = findExits(trie, secrets);
  return () => createMasker(trie, exits);
}

/** A whole text with its secrets replaced. */
export function maskText(text: string, secrets: Iterable<string>): string {
  const masker = createMasking(secrets)();
  return masker.push(text) + masker.flush();
}

function createMasker(trie: SecretTrie, exits: Exits): Masker {
  let waiting = '';
  /** Stands for what waits. */
  let node = ROOT;

  function read(text: string, isLast: boolean): string {
    let masked = '';
    let said = 0;
    const mask = (from: number, to: number) => {
      masked += text.slice(said, from) + MASK;
      said = to;
    };
    const leave = (end: number) => {
      const start = end - trie.depth(node);
      for (const { from, to } of exits.masked(node)) mask(start + from, start + to);
      node = exits.next(node);
    };
    for (let at = waiting.length; at < text.length; at += 1) {
      if (node === ROOT) at = trie.nextBeginning(text, at);
      if (at === text.length) break;
      const unit = text.charCodeAt(at);
      let child = trie.child(node, unit);
      while (child === ROOT && node !== ROOT) {
        leave(at);
        child = trie.child(node, unit);
      }
      node = child;
      if (child === ROOT || !trie.isLeaf(child)) continue;
      mask(at + 1 - trie.depth(child), at + 1);
      node = ROOT;
    }
    while (isLast && node !== ROOT) leave(text.length);
    const held = text.length - trie.depth(node);
    waiting = text.slice(held);
    return masked + text.slice(said, held);
  }

  return { push: (piece) => read(waiting + piece, false), flush: () => read(waiting, true) };
}

/** What happens when a text goes on otherwise than every secret that begins with a node's text. */
interface Exits {
  /** The longest end of the node's text that still waits, after what is decided by leaving. */
  next(node: number): number;
  /** Which parts of what is decided are secrets. */
  masked(node: number): Part[];
}

interface Part {
  before: Part | undefined;
  /** From where to where in the node's text. */
  from: number;
  to: number;
}

/**
 * Finds each node's exit as Aho and Corasick do (1975), from that of its parent: nodes nearer to the root come first.
 * Unlike theirs, an exit passes over what leaving masks, so no text is read twice.
 */
function findExits(trie: SecretTrie, longestFirst: readonly string[]): Exits {
  const nexts = new Uint32Array(trie.size);
  const parts: (Part | undefined)[] = new Array(trie.size).fill(undefined);

  function find(node: number, parent: number, unit: number): void {
    const length = trie.depth(node);
    if (trie.isSecret(node)) parts[node] = { before: undefined, from: 0, to: length };
    if (trie.isSecret(node) || parent === ROOT) return;
    let last = parts[parent];
    let next = nexts[parent] ?? ROOT;
    let child = trie.child(next, unit);
    while (child === ROOT && next !== ROOT) {
      last = append(last, parts[next], length - 1 - trie.depth(next));
      next = nexts[next] ?? ROOT;
      child = trie.child(next, unit);
    }
    const isWhole = child !== ROOT && trie.isLeaf(child);
    parts[node] = isWhole ? { before: last, from: length - trie.depth(child), to: length } : last;
    nexts[node] = isWhole ? ROOT : child;
  }

  const reached = longestFirst.map(() => ROOT);
  for (let depth = 0; depth < (longestFirst[0]?.length ?? 0); depth += 1) {
    for (const [index, secret] of longestFirst.entries()) {
      if (secret.length <= depth) break;
      const unit = secret.charCodeAt(depth);
      const parent = reached[index] ?? ROOT;
      const node = trie.child(parent, unit);
      reached[index] = node;
      find(node, parent, unit);
    }
  }
  return { next: (node) => nexts[node] ?? ROOT, masked: (node) => inOrder(parts[node]) };
}

/** The parts of one text, then those of another that begins at `offset` in it. */
function append(last: Part | undefined, added: Part | undefined, offset: number): Part | undefined {
  let joined = last;
  for (const { from, to } of inOrder(added)) {
    joined = { before: joined, from: from + offset, to: to + offset };
  }
  return joined;
}

const NONE: Part[] = [];

function inOrder(last: Part | undefined): Part[] {
  if (!last) return NONE;
  const parts: Part[] = [];
  for (let part: Part | undefined = last; part; part = part.before) parts.push(part);
  return parts.reverse();
}

/** Takes out what PostgreSQL's text cannot hold: NUL, and halves of surrogate pairs. */
export function clean(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '');
}
