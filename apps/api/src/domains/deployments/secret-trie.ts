/** The node where nothing of a secret has been read. */
export const ROOT = 0;

/** Secrets by their common beginnings: each node stands for the beginning of one or more of them. */
export interface SecretTrie {
  /** Nodes have the numbers below; a child's number is above its parent's. */
  readonly size: number;
  /** The node that one UTF-16 unit more leads to; `ROOT`: no secret begins so. */
  child(node: number, unit: number): number;
  /** The first place from `at` on where a secret may begin; the text's length where there is none. */
  nextBeginning(text: string, at: number): number;
  /** Length of the text that a node stands for. */
  depth(node: number): number;
  isSecret(node: number): boolean;
  /** Whether no secret goes on from here. */
  isLeaf(node: number): boolean;
}

const HAS_NEXT = 1;
const HAS_OTHERS = 2;
const IS_SECRET = 4;

/**
 * Builds the trie of secrets that are given longest first, none of them empty. Takes time and memory, some 10 bytes a
 * unit, by the sum of their lengths: most nodes have one child, which has the next number, and a map is needed only
 * where secrets part.
 */
export function createSecretTrie(longestFirst: readonly string[]): SecretTrie {
  const most = longestFirst.reduce((sum, { length }) => sum + length, 1);
  const units = new Uint16Array(most);
  const depths = new Uint32Array(most);
  const marks = new Uint8Array(most);
  const others = new Map<number, number>();
  const firsts: number[] = new Array(2 ** 8).fill(ROOT);
  const beginnings = new Uint8Array(2 ** 8);
  let size = 1;

  const marked = (node: number, mark: number) => ((marks[node] ?? 0) & mark) !== 0;
  const set = (node: number, mark: number) => {
    marks[node] = (marks[node] ?? 0) | mark;
  };
  function child(node: number, unit: number): number {
    if (node === ROOT && unit < firsts.length) return firsts[unit] ?? ROOT;
    if (marked(node, HAS_NEXT) && units[node + 1] === unit) return node + 1;
    return marked(node, HAS_OTHERS) ? (others.get(node * 2 ** 16 + unit) ?? ROOT) : ROOT;
  }
  function add(parent: number, unit: number): number {
    const node = size;
    size += 1;
    units[node] = unit;
    depths[node] = (depths[parent] ?? 0) + 1;
    if (parent === ROOT && unit < firsts.length) firsts[unit] = node;
    else if (parent === node - 1 && parent !== ROOT) set(parent, HAS_NEXT);
    else {
      others.set(parent * 2 ** 16 + unit, node);
      set(parent, HAS_OTHERS);
    }
    return node;
  }

  for (const secret of longestFirst) {
    let node = ROOT;
    beginnings[secret.charCodeAt(0) & 0xff] = 1;
    for (let at = 0; at < secret.length; at += 1) {
      const unit = secret.charCodeAt(at);
      node = child(node, unit) || add(node, unit);
    }
    set(node, IS_SECRET);
  }
  return {
    size,
    child,
    nextBeginning(text, at) {
      let place = at;
      while (place < text.length && beginnings[text.charCodeAt(place) & 0xff] === 0) place += 1;
      return place;
    },
    depth: (node) => depths[node] ?? 0,
    isSecret: (node) => marked(node, IS_SECRET),
    isLeaf: (node) => !marked(node, HAS_NEXT | HAS_OTHERS),
  };
}
