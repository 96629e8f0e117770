/** A folder of the project's besides its release that a run sees and may write to: a disk, or a cache. */
export interface Mount {
  folder: string;
  /** Where the run finds it; by default where it lies. */
  path?: string;
}
