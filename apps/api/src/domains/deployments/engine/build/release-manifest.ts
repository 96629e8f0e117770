import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Serve } from '../detect/plan.ts';

const Manifest: z.ZodType<Serve> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('process'),
    argv: z.array(z.string()).min(1),
    expand: z.boolean(),
    label: z.string(),
  }),
  z.object({ kind: z.literal('static'), singlePage: z.boolean() }),
]);

/** Marks a release as complete. The file lies out of reach of the project's account, which must not choose it. */
export async function writeManifest(file: string, serve: Serve): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(serve), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** How to start a release; undefined when it is not there or was never completed. */
export async function readManifest(file: string): Promise<Serve | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Manifest.parse(JSON.parse(text));
}
