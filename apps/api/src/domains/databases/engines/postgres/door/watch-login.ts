const HEADER = 5;
/** Longest key that protocol 3.2 allows, and the number of the process. */
const LONGEST = 4 + 256;
const KEY = 'K'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const AUTHENTICATION = 'R'.charCodeAt(0);
const ACCEPTED = 0;

export interface Login {
  /** AuthenticationOk: the server took the password, or wants none. */
  onProven(): void;
  /** BackendKeyData: by this key its client cancels a query. */
  onKey(key: string): void;
}

/** Follows what a server sends while a client logs in. Takes the pieces as they come; returns whether it has seen enough. */
export function watchLogin({ onProven, onKey }: Login): (chunk: Buffer) => boolean {
  let head = Buffer.alloc(0);
  let skip = 0;
  return (chunk) => {
    let rest = chunk;
    for (;;) {
      if (skip >= rest.length) {
        skip -= rest.length;
        return false;
      }
      head = Buffer.concat([head, rest.subarray(skip)]);
      skip = 0;
      rest = Buffer.alloc(0);
      if (head.length < HEADER) return false;
      const type = head[0];
      const length = head.readInt32BE(1) - 4;
      if (type === READY || length < 0) return true;
      if (type === AUTHENTICATION && length === 4) {
        if (head.length < HEADER + length) return false;
        if (head.readInt32BE(HEADER) === ACCEPTED) onProven();
      }
      if (type !== KEY || length > LONGEST) {
        rest = head.subarray(HEADER);
        head = Buffer.alloc(0);
        skip = length;
        continue;
      }
      if (head.length < HEADER + length) return false;
      onKey(head.subarray(HEADER, HEADER + length).toString('hex'));
      return true;
    }
  };
}
