/** What is around the processes of one run. */
export interface Walls {
  /** The address at which we reach its ports. */
  host: string;
  hasOwnNetwork: boolean;
  /** What an argument vector begins with to be in its network. */
  enterNetwork: readonly string[];
  /** Folders of its control groups, which its first process joins. */
  groups: readonly string[];
  /** Whether the kernel itself holds it to its memory. What its processes say together counts shared pages twice. */
  holdsMemory: boolean;
  /** That the kernel had no more memory for it, to complete a sentence: 'ran out of memory (1 GB)'. */
  shortage(): string | undefined;
  /** Once its processes are gone. */
  close(): Promise<void>;
}
