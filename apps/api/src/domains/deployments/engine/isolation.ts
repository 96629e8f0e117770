import type { IsolationFact } from './engine.ts';

/**
 * Whether code of people who are not trusted may run, and be built where `builds` says so: nothing of what it could reach or
 * use up is shared, but for disk space.
 */
export function isSandbox(isolation: readonly IsolationFact[], { builds = true } = {}): boolean {
  const matters = isolation.filter(({ isExtra, isOfBuilds }) => !isExtra && (builds || !isOfBuilds));
  return matters.length > 0 && matters.every(({ holds }) => holds);
}
