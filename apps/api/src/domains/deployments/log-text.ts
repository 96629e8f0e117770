import type { LogChunk } from '@nephos/contracts';
import { clean, createMasking, type Masker } from './mask.ts';

export type Stream = LogChunk['stream'];

/** Text of one stream on its way into a log. */
export interface Piece {
  stream: Stream;
  text: string;
}

/** What a log ends with when it is full. */
export const TRUNCATED = '[log truncated at 10 MB]';

/** UTF-16 units that a piece of a stored log has at most. */
export const PIECE_LENGTH = 16 * 1024;

const ENDS_IN_HALF = /[\ud800-\udbff]$/;

/** Makes raw output storable and safe to show: secrets masked, neighbours joined, long pieces split. */
export function createLogText(secrets: string[]): (pieces: Piece[], isLast: boolean) => Piece[] {
  const masking = createMasking(secrets);
  const streams = new Map<Stream, Masker>();

  function mask({ stream, text }: Piece): Piece {
    const state = streams.get(stream) ?? createStreamText(masking());
    streams.set(stream, state);
    return { stream, text: state.push(text) };
  }

  return (pieces, isLast) => {
    const masked = pieces.map(mask);
    if (isLast) for (const [stream, state] of streams) masked.push({ stream, text: state.flush() });
    return merge(masked.flatMap(split));
  };
}

/** Makes raw output of one stream storable and safe to show; half a character at a piece's end waits for the next. */
export function createStreamText(masker: Masker): Masker {
  let half = '';
  return {
    push(text) {
      const joined = half + text;
      half = ENDS_IN_HALF.test(joined) ? joined.slice(-1) : '';
      return masker.push(clean(joined.slice(0, joined.length - half.length)));
    },
    flush: () => masker.flush(),
  };
}

function merge(pieces: Piece[]): Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last?.stream === piece.stream && last.text.length + piece.text.length <= PIECE_LENGTH) {
      last.text += piece.text;
    } else {
      merged.push({ ...piece });
    }
  }
  return merged;
}

function split({ stream, text }: Piece): Piece[] {
  const parts: Piece[] = [];
  for (let at = 0; at < text.length; ) {
    let part = text.slice(at, at + PIECE_LENGTH);
    if (ENDS_IN_HALF.test(part)) part = part.slice(0, -1);
    parts.push({ stream, text: part });
    at += part.length;
  }
  return parts;
}

/** As many pieces as `room` bytes of UTF-8 hold; where that is not all, the last one is cut and `marker` follows. */
export function fitInto(
  room: number,
  pieces: Piece[],
  marker = TRUNCATED,
): { pieces: Piece[]; bytes: number; truncated: boolean } {
  const fitting: Piece[] = [];
  let bytes = 0;
  for (const { stream, text } of pieces) {
    const length = Buffer.byteLength(text);
    if (bytes + length > room) {
      const cut = cutToBytes(text, room - bytes);
      if (cut !== '') fitting.push({ stream, text: cut });
      fitting.push({ stream: 'system', text: `${marker}\n` });
      return { pieces: fitting, bytes: room, truncated: true };
    }
    fitting.push({ stream, text });
    bytes += length;
  }
  return { pieces: fitting, bytes, truncated: false };
}

/** The longest beginning of whole characters within `bytes`. */
function cutToBytes(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}
