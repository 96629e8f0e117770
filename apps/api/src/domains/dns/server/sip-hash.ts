const KEY_BYTES = 16;
const BLOCK_BYTES = 8;
const HALF_BYTES = 4;
const COMPRESSIONS = 2;
const FINALIZATIONS = 4;

/** "somepseudorandomlygeneratedbytes", the low half of each word before the high one. */
const INITIAL = [
  0x70736575, 0x736f6d65, 0x6e646f6d, 0x646f7261, 0x6e657261, 0x6c796765, 0x79746573, 0x74656462,
];

/** The four words v0 to v3 of one computation after the other, in halves: JavaScript has no fast 64-bit integers. */
const state = new Uint32Array(INITIAL.length);
const half = (at: number) => state[at] ?? 0;

/** Adds word `b` to word `a`; words are told by the place of their low half. */
function add(a: number, b: number): void {
  const low = half(a) + half(b);
  state[a + 1] = half(a + 1) + half(b + 1) + (low > 0xffffffff ? 1 : 0);
  state[a] = low;
}

/** `word = (word <<< bits) ^ other`, for fewer than 32 bits. */
function rotateAndMix(word: number, bits: number, other: number): void {
  const low = half(word);
  const high = half(word + 1);
  state[word] = ((low << bits) | (high >>> (32 - bits))) ^ half(other);
  state[word + 1] = ((high << bits) | (low >>> (32 - bits))) ^ half(other + 1);
}

/** `word <<< 32` */
function swapHalves(word: number): void {
  const low = half(word);
  state[word] = half(word + 1);
  state[word + 1] = low;
}

const [V0, V1, V2, V3] = [0, 2, 4, 6] as const;

function rounds(count: number): void {
  for (let left = count; left > 0; left -= 1) {
    add(V0, V1);
    rotateAndMix(V1, 13, V0);
    swapHalves(V0);
    add(V2, V3);
    rotateAndMix(V3, 16, V2);
    add(V0, V3);
    rotateAndMix(V3, 21, V0);
    add(V2, V1);
    rotateAndMix(V1, 17, V2);
    swapHalves(V2);
  }
}

function mix(word: number, low: number, high: number): void {
  state[word] = half(word) ^ low;
  state[word + 1] = half(word + 1) ^ high;
}

/** SipHash-2-4 (Aumasson and Bernstein, 2012) of any octets under a key of 16: 8 octets, as the reference code has them. */
export function sipHash(key: Buffer, message: Buffer): Buffer {
  if (key.length !== KEY_BYTES) throw new RangeError('A key of SipHash has 16 octets.');
  state.set(INITIAL);
  for (const [word, at] of [
    [V0, 0],
    [V1, BLOCK_BYTES],
    [V2, 0],
    [V3, BLOCK_BYTES],
  ] as const) {
    mix(word, key.readUInt32LE(at), key.readUInt32LE(at + HALF_BYTES));
  }
  // The last block ends with the length's lowest octet.
  const padded = Buffer.alloc(message.length - (message.length % BLOCK_BYTES) + BLOCK_BYTES);
  message.copy(padded);
  padded[padded.length - 1] = message.length & 0xff;
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) {
    const low = padded.readUInt32LE(at);
    const high = padded.readUInt32LE(at + HALF_BYTES);
    mix(V3, low, high);
    rounds(COMPRESSIONS);
    mix(V0, low, high);
  }
  mix(V2, 0xff, 0);
  rounds(FINALIZATIONS);
  const hash = Buffer.alloc(BLOCK_BYTES);
  hash.writeUInt32LE((half(V0) ^ half(V1) ^ half(V2) ^ half(V3)) >>> 0);
  hash.writeUInt32LE((half(1) ^ half(3) ^ half(5) ^ half(7)) >>> 0, HALF_BYTES);
  return hash;
}
