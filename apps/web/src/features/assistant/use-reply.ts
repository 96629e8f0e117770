import type { ReplyEvent } from '@nephos/contracts';
import { useEffect, useEffectEvent, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { usePaintedVersion } from '../../lib/use-painted-version.ts';

export interface ReplyOptions {
  /** Null: nothing to listen to. */
  sessionId: string | null;
  /** Undefined: whichever is being written. */
  replyId: string | undefined;
  /** Another number listens anew, from the reply's beginning. */
  turn: number;
  /** The stream ended, or broke where `error` says why. Where no reply is being written it ends at once. */
  onEnd: (buffer: ReplyBuffer, error: Error | null) => void;
}

export interface Reply {
  buffer: ReplyBuffer;
  /** Whether its connection was lost and is sought again. */
  lost: boolean;
}

/** The reply of a session that is being written, as far as it came. Lost connections resume where they were. */
export function useReply({ sessionId, replyId, turn, onEnd }: ReplyOptions): Reply {
  const { client } = trpc.useUtils();
  const { changed } = usePaintedVersion();
  const buffer = useBufferOf(`${sessionId} ${turn}`);
  const end = useEffectEvent(onEnd);
  const [lost, setLost] = useState(false);

  useEffect(() => {
    if (sessionId === null) return;
    let listening = true;
    function finish(error: Error | null) {
      // Leaving the stream completes it as well.
      if (listening) end(buffer, error);
      listening = false;
    }
    const stream = client.assistant.reply.subscribe(
      { sessionId, replyId },
      {
        onData: ({ id, data }) => {
          buffer.add(id, data);
          changed();
          if (buffer.done) finish(null);
        },
        // It gives no reason for the first connection, which is no other.
        onConnectionStateChange: ({ state, error }) => setLost(state === 'connecting' && error !== null),
        onError: finish,
        onComplete: () => finish(null),
      },
    );
    return () => {
      listening = false;
      setLost(false);
      stream.unsubscribe();
    };
  }, [client, changed, sessionId, replyId, buffer]);

  return { buffer, lost };
}

/** An empty one for every key. */
function useBufferOf(key: string): ReplyBuffer {
  const [current, setCurrent] = useState(() => ({ key, buffer: new ReplyBuffer() }));
  if (current.key === key) return current.buffer;
  const next = { key, buffer: new ReplyBuffer() };
  setCurrent(next);
  return next.buffer;
}

type DoneEvent = Extract<ReplyEvent, { type: 'done' }>;

/** An answer as far as it came. Changed in place. */
export class ReplyBuffer {
  text = '';
  /** The tools that were called, in order. */
  readonly tools: string[] = [];
  done: DoneEvent | undefined;
  /** Whether anything came. */
  begun = false;
  #seen = new Set<string>();

  /** Takes an event by its place in the reply; one that came before a connection was lost is not taken twice. */
  add(id: string, event: ReplyEvent): void {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.begun = true;
    if (event.type === 'text') this.text += event.text;
    else if (event.type === 'tool') this.tools.push(event.toolName);
    else this.done = event;
  }
}
