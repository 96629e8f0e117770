import { LABELS } from '../container/names.ts';
import { isOver, type SwarmParts } from './open-service.ts';
import { readTasks } from './swarm-state.ts';

type Parts = Pick<SwarmParts, 'swarm'> & { containers: Pick<SwarmParts['containers'], 'daemon'> };

/**
 * Throws where something of a project may run on another machine, and write to its disks there: the removal of a service
 * that took too long, as without a leader, is heard of by nobody.
 */
export async function assertEndedElsewhere({ containers, swarm }: Parts, projectId: string): Promise<void> {
  for (const task of await readTasks(containers.daemon, `${LABELS.project}=${projectId}`)) {
    const machine = swarm.machine(task.machine);
    if (!machine || machine.isHere || machine.isGivenUp || isOver(task)) continue;
    throw new Error(`the app runs on ${machine.name} yet`);
  }
}
