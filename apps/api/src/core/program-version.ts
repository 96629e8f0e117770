import { readFile } from 'node:fs/promises';

const PACKAGE = new URL('../../../../package.json', import.meta.url);

/** By numbers where there are numbers: 1.10 comes after 1.9. Negative where the first comes before the second. */
export const compareVersions = new Intl.Collator('en', { numeric: true }).compare;

/** The version of this program, like 1.2.3. */
export async function programVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(PACKAGE, 'utf8'));
  return version;
}
