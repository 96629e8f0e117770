/**
 * Makes what tells how much processor time a run took since it was asked before, of what it took altogether: at first since
 * its beginning or, where `isTakenOver` says that an earlier server has counted that, nothing. In the unit that it is given.
 */
export function countCpuTime({ isTakenOver }: { isTakenOver: boolean }): (total: number) => number {
  let before = isTakenOver ? undefined : 0;
  return (total) => {
    // What somebody else waited for takes its time along.
    const since = Math.max(0, total - (before ?? total));
    before = total;
    return since;
  };
}
