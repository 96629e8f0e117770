import { posix } from 'node:path';
import type { SiteSource } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

/** Where most tools put a built site, asked for after the folder of the tool that is recognised. */
export const USUAL_FOLDERS = ['dist', 'build', 'out', 'public', '_site'];

/** A site whose folders are given below the project's own. */
export function siteOf(
  { folder }: Snapshot,
  site: Omit<SiteSource, 'advice'> & { advice?: string },
): SiteSource {
  const folders = site.folders
    .map((path) => posix.join(folder, path))
    .filter((path) => !path.startsWith('../'));
  return { advice: '', ...site, folders };
}
