import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@nephos/db';
import { z } from 'zod';
import { type Serve, WEB } from '../detect/plan.ts';
import { type ReleaseFolders, releaseFolders, releasesFolder } from '../folders.ts';

const Process = z.object({
  name: z.string().default(WEB),
  argv: z.array(z.string()).min(1),
  expand: z.boolean(),
  label: z.string(),
});
const InContainer = Process.extend({ argv: z.array(z.string()) });

const Manifest: z.ZodType<Serve> = z.union([
  z.object({ kind: z.literal('process'), processes: z.tuple([Process], Process) }),
  // Releases that an earlier server built have one process and no list.
  Process.extend({ kind: z.literal('process') }).transform(({ kind, ...web }) => ({
    kind,
    processes: [web] as const,
  })),
  z.object({
    kind: z.literal('container'),
    image: z.string(),
    processes: z.tuple([InContainer], InContainer),
    port: z.number().nullable(),
  }),
  z.object({ kind: z.literal('static'), singlePage: z.boolean() }),
]);

/** What a release was built from, and what it was when the build ended, each as a digest. */
const Build = z.object({ key: z.string(), content: z.string() });
export type Build = z.output<typeof Build>;
const WithBuild = z.object({ build: Build });

/** Marks a release as complete. The file lies out of reach of the project's account, which must not choose it. */
export async function writeManifest(file: string, serve: Serve, build?: Build): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify({ ...serve, build }), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

/** How to start a release; undefined when it is not there or was never completed. */
export async function readManifest(file: string): Promise<Serve | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Manifest.parse(JSON.parse(text));
}

/** The release that was completed last; undefined where it tells nothing of its build. */
export async function newestBuild(
  root: string,
  projectId: string,
): Promise<{ id: string; build: Build } | undefined> {
  const [newest] = await completeReleases(root, projectId);
  if (!newest) return undefined;
  const text = await readFile(releaseFolders(root, projectId, newest.id).manifest, 'utf8');
  const manifest = WithBuild.safeParse(JSON.parse(text));
  return manifest.success ? { id: newest.id, build: manifest.data.build } : undefined;
}

/**
 * Deletes a release. What is left after a crash in between, or since it is in use when it can no longer be begun with,
 * has no manifest and is swept at the next start.
 */
export async function removeRelease(folders: ReleaseFolders, isUsed = () => false): Promise<void> {
  await rm(folders.manifest, { force: true });
  if (!isUsed()) await removeTree(folders.release);
}

/** Keeps a project's newest `keep` releases and those in use; returns the ids of the deleted ones. */
export async function pruneReleases(
  root: string,
  projectId: string,
  { keep, isUsed }: { keep: number; isUsed: (id: string) => boolean },
): Promise<string[]> {
  const complete = await completeReleases(root, projectId);
  const superfluous = complete.slice(keep).filter(({ id }) => !isUsed(id));
  for (const { id } of superfluous)
    await removeRelease(releaseFolders(root, projectId, id), () => isUsed(id));
  return superfluous.map(({ id }) => id);
}

/** Deletes releases of every project whose build was cut off. Only while no build runs. */
export async function sweepReleases(root: string): Promise<void> {
  const projects = await readdir(join(root, 'projects')).catch(() => []);
  for (const projectId of projects) {
    for (const { id, completed } of await releasesOf(root, projectId)) {
      if (completed === undefined) await removeTree(releaseFolders(root, projectId, id).release);
    }
  }
}

/** Newest first. */
async function completeReleases(root: string, projectId: string) {
  const complete = (await releasesOf(root, projectId)).filter((release) => release.completed !== undefined);
  return complete.sort((a, b) => (b.completed ?? 0) - (a.completed ?? 0));
}

async function releasesOf(root: string, projectId: string) {
  const ids = await readdir(releasesFolder(root, projectId)).catch(() => []);
  return Promise.all(
    ids.map(async (id) => {
      const manifest = await stat(releaseFolders(root, projectId, id).manifest).catch(() => undefined);
      return { id, completed: manifest?.mtimeMs };
    }),
  );
}
