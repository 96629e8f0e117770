import { createFeed, type Feed } from './feed.ts';
import { GivenUp } from './write-reply.ts';

/** A reply that this replica writes. */
export interface RunningReply {
  replyId: string;
  sessionId: string;
  feed: Feed;
  /** How many read it here through `reply`. */
  readers: number;
  /** REST chats that it is the answer of: each is given it as it is written. */
  chats: number;
  /** Resolves when it is known whether the reply goes on without its last chat. */
  leaving: Promise<void> | undefined;
  /** Aborts with `GivenUp` when the reply is given up. */
  signal: AbortSignal;
  /** Ends it early; the sentence is for whoever still reads it, '' where there is nothing to say. */
  giveUp(sentence: string): void;
  /** Resolves when the reply is messages. */
  ended: Promise<void>;
}

/** `write` gets the reply while it begins. */
export function runReply(
  of: Pick<RunningReply, 'replyId' | 'sessionId'>,
  write: (reply: RunningReply) => Promise<void>,
): RunningReply {
  const abort = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const reply: RunningReply = {
    ...of,
    feed: createFeed(),
    readers: 0,
    chats: 0,
    leaving: undefined,
    signal: abort.signal,
    giveUp: (sentence) => abort.abort(new GivenUp(sentence)),
    ended,
  };
  // Whatever a model's connection still waits for ends with the reply.
  void write(reply).finally(() => {
    reply.giveUp('');
    resolve();
  });
  return reply;
}
