import type { VariableScope } from '@nephos/contracts';

/** Who is given a variable, as a choice. */
export const SCOPE_OPTIONS: readonly { value: VariableScope; label: string }[] = [
  { value: 'all', label: 'Build and run' },
  { value: 'build', label: 'Build only' },
  { value: 'run', label: 'Run only' },
];

export function countOfVariables(count: number): string {
  return count === 1 ? '1 variable' : `${count} variables`;
}

export function countOfProjects(count: number): string {
  return count === 1 ? '1 project' : `${count} projects`;
}
