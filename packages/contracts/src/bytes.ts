import type { z } from 'zod';

/** Bytes that an operation answers. */
export interface Gives {
  /** Media type without parameters. */
  type: string;
  /** What they are, for people. */
  what: string;
  /** Where they are JSON, its shape. */
  shape?: z.ZodType;
  /** Whether they have validators (RFC 9110 §8.8) and can be had in part (§14). */
  ranges?: boolean;
}

/** Bytes that an operation takes. */
export interface Takes {
  /** Media type; a form is none, whatever it says. */
  type: string;
  /** What the address of an example has behind its path. */
  example: string;
}

/** A part of some bytes: the places of its first and its last, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

export type Body = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** What a handler of bytes answers. The door judges the request's conditions and range, and asks for no more than it sends. */
export interface BytesAnswer {
  /** The media type with its parameters. */
  type: string;
  /** Bytes altogether; absent where nobody knows beforehand, and then there are no ranges. */
  length?: number;
  /** What whoever saves it finds it called. */
  fileName?: string;
  /** Whether a browser may show it, rather than save it. */
  inline?: boolean;
  /** A strong entity tag in its quotes, and when the bytes last changed. */
  validators?: { etag: string; modifiedAt: Date };
  /** Whether caches may keep it for anyone, and other sites may show it. */
  isPublic?: boolean;
  /** All of it, or the range; not called where only the head is asked for. */
  body(range?: ByteRange): Body | Promise<Body>;
}

/** The body of a request, which nobody has read yet. */
export interface TakenBody {
  /** The header `Content-Type`; '' where there is none. */
  type: string;
  /** Bytes, where the request says how many. */
  length: number | undefined;
  /**
   * The bytes as they arrive, each piece only until the next one is asked for: take a copy of what is kept. Throws what
   * `refuse` makes where there are more than `limit`.
   */
  read(limit: number, refuse: () => Error): AsyncIterable<Uint8Array>;
}
