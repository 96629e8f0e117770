const SHORT = 7;

/** The commit as people name it; a dash until it is known. */
export function shortCommit(commit: string | null): string {
  return commit ? commit.slice(0, SHORT) : '–';
}
