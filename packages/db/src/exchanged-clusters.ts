import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One of two clusters that change places, while the other one takes its name. */
const ASIDE = /^\.swap-([a-z0-9_]+)-([a-z0-9_]+)$/;

/** What tells a cluster from every other in its folder, whatever name it has by now. */
export function placeOfCluster(root: string, name: string): string {
  return String(statSync(join(root, name), { bigint: true }).ino);
}

/** Gives each of two clusters that do not run the other's name. Killed meanwhile, it is finished by `finishExchanges`. */
export function exchangeClusters(root: string, first: string, second: string): void {
  renameSync(join(root, first), join(root, `.swap-${first}-${second}`));
  finishExchanges(root);
}

/** Before anything else is done with the clusters of a folder. */
export function finishExchanges(root: string): void {
  for (const entry of readdirSync(root)) {
    const [, first, second] = ASIDE.exec(entry) ?? [];
    if (!first || !second) continue;
    const [place, other] = [join(root, first), join(root, second)];
    syncFolder(root);
    if (!existsSync(place)) renameSync(other, place);
    syncFolder(root);
    renameSync(join(root, entry), other);
    syncFolder(root);
  }
}

/** What was renamed in it outlives a power cut, in this order. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
