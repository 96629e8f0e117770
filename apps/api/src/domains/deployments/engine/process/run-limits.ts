/** What one run may use of the machine, held by the kernel where there are control groups and else watched. */
export interface RunLimits {
  /** MB of all its processes together. */
  memory: number;
  /** Hundredths of a core; null: as many as there are. */
  cpu: number | null;
  /** Processes and threads. */
  tasks: number;
}

/** A folder of the project's besides its release that a run sees and may write to: a disk, or a cache. */
export interface Mount {
  folder: string;
  /** Where the run finds it; by default where it lies. */
  path?: string;
}
