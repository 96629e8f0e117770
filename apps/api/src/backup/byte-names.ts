import { isUtf8 } from 'node:buffer';

/** A byte that is part of no character is the lone surrogate of this and its value: no text of UTF-8 has those. */
const ESCAPE = 0xdc00;
const LONGEST_CHARACTER = 4;
/** Characters of a path that are shown. */
const SHOWN = 120;

/** A name as the system has it, bytes of any kind but for NUL, as a text that JSON keeps (as Python's PEP 383 has it). */
export function textOfName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at);
    text +=
      length > 0 ? bytes.toString('utf8', at, at + length) : String.fromCharCode(ESCAPE + (bytes[at] ?? 0));
    at += length || 1;
  }
  return text;
}

/** Bytes of the character that begins here; 0 where none does. */
function characterAt(bytes: Buffer, at: number): number {
  for (let length = 1; length <= LONGEST_CHARACTER && at + length <= bytes.length; length += 1) {
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}

/** The bytes of such a text, for the system. */
export function bytesOfName(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  return Buffer.concat(
    [...text].map((character) =>
      character.isWellFormed()
        ? Buffer.from(character)
        : Buffer.from([(character.codePointAt(0) ?? 0) - ESCAPE]),
    ),
  );
}

/** As much of a path as a sentence has room for. */
export function shortPath(path: string): string {
  return path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path;
}
