import type { IsolationFact } from './engine.ts';

/** Whether code of people who are not trusted may run: nothing of what it could reach or use up is shared, but for disk space. */
export function isSandbox(isolation: readonly IsolationFact[]): boolean {
  return isolation.length > 0 && isolation.every(({ holds, isExtra }) => holds || isExtra);
}
