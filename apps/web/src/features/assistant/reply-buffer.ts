import type { ReplyEvent } from '@nephos/contracts';

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
