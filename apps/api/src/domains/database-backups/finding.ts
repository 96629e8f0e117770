/** What a trial restore found. */
export interface Finding {
  succeeded: boolean;
  /** What was compared, or why it failed, in a sentence or two. */
  detail: string;
}
