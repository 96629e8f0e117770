/** A command of a client that has not said who it is. */
export interface FirstCommand {
  /** Its name in capitals. */
  name: string;
  words: string[];
  /** Bytes that it takes. */
  length: number;
}

/** `HELLO 3 AUTH name password SETNAME name` has seven words. */
const MOST_WORDS = 10;
const LONGEST_WORD = 256;
const LONGEST = 4096;
const CRLF = '\r\n';

/** The first command in `bytes`; undefined until all of it is there. Throws at what none could begin with. */
export function readCommand(bytes: Buffer): FirstCommand | undefined {
  const read = bytes[0] === 0x2a ? readArray(bytes) : readInline(bytes);
  if (!read && bytes.length > LONGEST) throw new Error('That is no command.');
  return read && { ...read, name: (read.words[0] ?? '').toUpperCase() };
}

type Read = Omit<FirstCommand, 'name'>;

/** As programs send it: `*<words>`, then for each `$<bytes>` and its bytes. */
function readArray(bytes: Buffer): Read | undefined {
  let at = 0;
  function number(sign: string, most: number): number | undefined {
    const end = bytes.indexOf(CRLF, at);
    const line = bytes.toString('latin1', at, end === -1 ? bytes.length : end);
    if (line !== '' && !line.startsWith(sign)) throw new Error('That is no command.');
    if (line.length > String(most).length + 1) throw new Error('That is too long.');
    if (end === -1) return undefined;
    at = end + CRLF.length;
    const value = /^\d+$/.test(line.slice(1)) ? Number(line.slice(1)) : Number.NaN;
    if (!(value <= most)) throw new Error('That is too long.');
    return value;
  }
  const count = number('*', MOST_WORDS);
  if (count === undefined) return undefined;
  const words: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const length = number('$', LONGEST_WORD);
    if (length === undefined || bytes.length < at + length + CRLF.length) return undefined;
    words.push(bytes.toString('utf8', at, at + length));
    at += length + CRLF.length;
  }
  return { words, length: at };
}

/** As a person types it. */
function readInline(bytes: Buffer): Read | undefined {
  const end = bytes.indexOf('\n');
  if (end === -1) return undefined;
  if (end > LONGEST) throw new Error('That is too long.');
  const words = bytes.toString('utf8', 0, end).trim().split(/\s+/).filter(Boolean);
  return { words, length: end + 1 };
}

/** Whom a command says it comes from: `AUTH name password`, or `HELLO 3 … AUTH name password`. */
export function userOf({ name, words }: FirstCommand): string | undefined {
  if (name === 'AUTH') return words.length === 3 ? words[1] : undefined;
  if (name !== 'HELLO') return undefined;
  const at = words.findIndex((word, n) => n > 1 && word.toUpperCase() === 'AUTH');
  return at === -1 ? undefined : words[at + 1];
}
