import { runsAsRoot } from '@nephos/db';
import type Docker from 'dockerode';
import type { Settings } from '../../core/settings.ts';
import { connectDocker } from '../../domains/deployments/engine/container/connect-docker.ts';
import { awayAt, isAway } from '../../domains/deployments/engine/container/daemon.ts';

export interface Reached {
  docker: Docker;
  /** Whether files in volumes can be read where they lie, with the numbers that accounts have in containers. */
  isOpen: boolean;
}

/** Throws a sentence where Docker does not answer. */
export async function reachDocker({ dockerHost }: Pick<Settings, 'dockerHost'>): Promise<Reached> {
  const docker = connectDocker(dockerHost.replace('unix://', ''));
  try {
    const { SecurityOptions = [] }: { SecurityOptions?: string[] } = await docker.info();
    const isMapped = SecurityOptions.some((option) => /^name=(userns|rootless)/.test(option));
    return { docker, isOpen: runsAsRoot() && !isMapped };
  } catch (error) {
    throw isAway(error) ? new Error(awayAt(dockerHost)) : error;
  }
}
