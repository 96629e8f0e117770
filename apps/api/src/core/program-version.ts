import { readFile } from 'node:fs/promises';

const PACKAGE = new URL('../../../../package.json', import.meta.url);

/** The version of this program, like 1.2.3. */
export async function programVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(PACKAGE, 'utf8'));
  return version;
}
