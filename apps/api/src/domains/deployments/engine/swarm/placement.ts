import { isLoopbackHost } from '../../../../core/env.ts';
import type { JobImage } from '../engine.ts';
import type { Machine } from './machines.ts';

/** Where instances of apps were put, by the names of their services. */
export type Placements = Map<string, { machine: string; process: string }>;

export interface PlacementOptions {
  /** Whether the app has a disk that is on the console's machine alone. */
  hasLocalDisk: boolean;
  /** Names the process of the deployment: its instances are kept apart. */
  process: string;
  /** What other machines pull; null where they cannot. */
  source: JobImage | null;
}

/** The machine that an instance is put on, or why there is none at the moment, as a clause. */
export function placeOn(
  machines: readonly (Machine & { isUp: boolean })[],
  placements: Placements,
  { hasLocalDisk, process, source }: PlacementOptions,
): Machine | { reason: string } {
  const here = machines.find(({ isHere }) => isHere);
  const why = hasLocalDisk ? DISK : source && isShared(source) ? '' : IMAGE;
  const possible =
    why === ''
      ? machines.filter(({ architecture }) => architecture === here?.architecture)
      : here
        ? [here]
        : [];
  const taking = possible.filter(({ isUp, availability }) => isUp && availability === 'active');
  const on = (id: string, counted?: string) =>
    [...placements.values()].filter(
      (placed) => placed.machine === id && (counted === undefined || placed.process === counted),
    ).length;
  const [best] = taking
    .map((machine) => ({ machine, own: on(machine.id, process), all: on(machine.id) }))
    .sort((a, b) => a.own - b.own || a.all - b.all);
  if (best) return best.machine;
  return { reason: why || 'no machine of the swarm takes instances: all are down, paused or drained' };
}

const DISK = "the app has a disk, which is on the console's machine, and that takes no instances";
const IMAGE =
  "other machines can't pull the app's image from here, and the console's machine takes no instances";

/** Whether other machines reach the registry of an image. */
export function isShared({ reference }: Pick<JobImage, 'reference'>): boolean {
  const host = reference.slice(0, reference.indexOf('/')).replace(/:\d+$/, '');
  return !isLoopbackHost(host);
}

/** What an administrator should know of how images come to other machines, as a sentence; '' for nothing. */
export function adviceOnRegistry({ protocol, hostname, host }: URL, machines: number): string {
  if (machines < 2) return '';
  if (isLoopbackHost(hostname))
    return `Other machines can't pull built images from ${host}, so those run on this one alone. Set PUBLIC_URL to an address that all machines reach.`;
  if (protocol === 'http:')
    return `Images are pulled from ${host} without TLS: add it to insecure-registries of Docker on every machine, or set PUBLIC_URL to an https address.`;
  return '';
}
