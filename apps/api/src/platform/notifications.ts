/** Messages between replicas and streams, over PostgreSQL's LISTEN and NOTIFY. */
export interface Notifications {
  /**
   * Calls `listener` with each payload of `channel` until the returned function is called. `onResync` is called after
   * a lost connection came back, since messages in between are gone: read the state again.
   */
  subscribe(channel: string, listener: (payload: string) => void, onResync?: () => void): () => void;
  close(): Promise<void>;
}
