import type { Engine } from '@nephos/contracts';
import type { UserContext } from '../../context.ts';

/** Something to look at; `look` really asks it, and is cut off after two seconds. */
export interface Check extends Omit<Engine, 'state' | 'detail'> {
  look(): Promise<Finding> | Finding;
}

/** `detail` never holds a secret, nor what a server said about itself. */
export type Finding = Pick<Engine, 'state' | 'detail'>;

export type CheckContext = Pick<
  UserContext,
  | 'db'
  | 'settings'
  | 'engine'
  | 'objects'
  | 'nameServer'
  | 'databaseEngines'
  | 'billing'
  | 'assistant'
  | 'log'
>;

export function healthy(detail: string): Finding {
  return { state: 'healthy', detail };
}

export function unhealthy(detail: string): Finding {
  return { state: 'unhealthy', detail };
}

export function off(detail: string): Finding {
  return { state: 'off', detail };
}
