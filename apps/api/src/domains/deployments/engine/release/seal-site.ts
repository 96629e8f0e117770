import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeldFolder } from '@nephos/db';
import type { Serve, SiteSource } from '../detect/plan.ts';
import { hasIndex, holdBelow } from '../detect/snapshot.ts';
import type { Limits } from '../limits.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import type { BuildOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import { copySite, type SiteBounds, UnservableSite } from './copy-site.ts';

/** Copies the site's folder to where the project's account cannot reach it. Throws `StepFailure`. */
export async function sealSite(
  { limits }: Pick<ProcessParts, 'limits'>,
  { folders, account, signal }: BuildOptions,
  source: SiteSource,
): Promise<Serve> {
  await using output = await findOutput(source, (path) => holdBelow(folders.app, path, account));
  if (!output) throw noIndex(source);
  return await serveSite(source, { site: folders.site, signal, ...boundsOf(limits) }, (bounds) =>
    copySite(output, { ...bounds, account }),
  );
}

export function noIndex({ folders, advice }: SiteSource): StepFailure {
  const places = folders.map((path) => (path === '.' ? 'the folder' : path)).join(', ');
  return new StepFailure('build', `Build failed: no index.html found in ${places}.${advice}`);
}

export function boundsOf({ siteFiles, buildBytes }: Limits): Pick<SiteBounds, 'maxFiles' | 'maxBytes'> {
  return { maxFiles: siteFiles, maxBytes: buildBytes };
}

/** Has a site copied, and tells how it is served. Throws `StepFailure`. */
export async function serveSite(
  { mayBeSinglePage }: SiteSource,
  bounds: SiteBounds,
  copy: (bounds: SiteBounds) => Promise<void>,
): Promise<Extract<Serve, { kind: 'static' }>> {
  try {
    await copy(bounds);
  } catch (error) {
    if (!(error instanceof UnservableSite)) throw error;
    throw new StepFailure('build', `Build failed: the site cannot be served because ${error.message}.`);
  }
  return { kind: 'static', singlePage: mayBeSinglePage && (await isSinglePage(bounds.site)) };
}

/** Hosts of sites agree on this file and line: every path that is not there is the home page's. */
const REDIRECTS = '_redirects';
const TO_HOME = /^\/\*\s+\/(index\.html)?\s+200!?\s*$/m;

/** Whether a sealed site is one page; of a site with several, or with an answer to unknown paths, those are not found. */
async function isSinglePage(site: string): Promise<boolean> {
  const names = await readdir(site, { recursive: true });
  if (names.includes(REDIRECTS) && TO_HOME.test(await readFile(join(site, REDIRECTS), 'utf8'))) return true;
  const pages = names.filter((name) => name.endsWith('.html') || name.endsWith('.htm'));
  return pages.length === 1;
}

async function findOutput(
  { folders }: SiteSource,
  hold: (path: string) => Promise<HeldFolder | undefined>,
): Promise<HeldFolder | undefined> {
  for (const path of folders) {
    const folder = await hold(path);
    if (folder && (await hasIndex(folder))) return folder;
    await folder?.[Symbol.asyncDispose]();
  }
  return undefined;
}
