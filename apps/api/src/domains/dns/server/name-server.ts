import type { RecordType } from '@nephos/contracts';
import type { QueryCount } from './query-counts.ts';

/** What can be asked for: an alias that is ours alone is answered with addresses. */
export type AskedType = Exclude<RecordType, 'ALIAS'>;

/** What the server said to one question. */
export interface ServedAnswer {
  /** For example `NOERROR`; `TIMEOUT` where no answer came within 2 seconds. */
  responseCode: string;
  /** The answer section, or what a referral refers to; a line per record as `dig` prints it. */
  answers: string[];
  milliseconds: number;
}

/** The authoritative name server of all zones, over UDP and TCP. */
export interface NameServer {
  /** Loads the zones and binds the port. What cannot be bound is told by `unavailable`, not thrown. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Why it does not answer, in one sentence that names the setting to change; null when it does. */
  unavailable(): string | null;
  /** Port in use; 0 while it is not running. */
  port(): number;
  /** Asks over UDP, as any resolver would. Never rejects. */
  ask(name: string, type: AskedType): Promise<ServedAnswer>;
  /** Answers given since the start. */
  answered(): QueryCount[];
}
