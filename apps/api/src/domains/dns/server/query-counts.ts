import { RCODE } from './protocol.ts';
import type { Transport } from './responder.ts';

/** Answers given by transport and code, counted in memory that the thread shares with the rest. */
export interface QueryCounts {
  memory: SharedArrayBuffer;
  add(transport: Transport, rcode: number): void;
  /** One count for each transport and code that was given. */
  read(): QueryCount[];
}

export interface QueryCount {
  transport: Transport;
  /** As `dig` prints it. */
  rcode: string;
  count: number;
}

const TRANSPORTS = ['udp', 'tcp'] as const;
const ROW = 1 + Math.max(...Object.values(RCODE));

/** Over `memory` of another's, or of its own. */
export function createQueryCounts(
  memory = new SharedArrayBuffer(TRANSPORTS.length * ROW * Float64Array.BYTES_PER_ELEMENT),
): QueryCounts {
  const counts = new Float64Array(memory);
  const slot = (transport: Transport, rcode: number) => TRANSPORTS.indexOf(transport) * ROW + rcode;
  return {
    memory,
    add(transport, rcode) {
      const at = slot(transport, rcode);
      counts[at] = (counts[at] ?? 0) + 1;
    },
    read: () =>
      TRANSPORTS.flatMap((transport) =>
        Object.entries(RCODE)
          .map(([rcode, code]) => ({ transport, rcode, count: counts[slot(transport, code)] ?? 0 }))
          .filter(({ count }) => count > 0),
      ),
  };
}
