/**
 * Prints how much JavaScript the built pages load first, in bytes after gzip: what the entry imports and what the page
 * needs before it shows. Exits 1 past a budget. Run after `vite build`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const DIST = join(import.meta.dirname, '../dist');

interface Chunk {
  file: string;
  imports?: string[];
}

interface Page {
  name: string;
  /** Bytes. */
  budget: number;
  /** Beginnings of the sources whose chunks the page loads, the entry and what these import included. */
  sources: string[];
}

const PAGES: Page[] = [
  { name: 'landing page', budget: 120_000, sources: ['index.html', 'src/features/landing/landing-page.tsx'] },
  {
    name: 'signed-in shell',
    budget: 220_000,
    sources: [
      'index.html',
      'src/console.tsx',
      'src/routes/_console.tsx',
      'src/routes/_console/deployments.tsx',
    ],
  },
];

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));

function addWithImports(key: string, files: Set<string>) {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) addWithImports(imported, files);
}

function firstLoad({ sources }: Page): number {
  const files = new Set<string>();
  for (const source of sources) {
    // The router splits a route into several chunks: `route.tsx?tsr-split=component` and so on.
    const keys = Object.keys(manifest).filter((key) => key === source || key.startsWith(`${source}?`));
    if (keys.length === 0) throw new Error(`The build has no chunk of ${source}`);
    for (const key of keys) addWithImports(key, files);
  }
  return [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(DIST, file))).length, 0);
}

for (const page of PAGES) {
  const bytes = firstLoad(page);
  console.log(`${page.name}: ${(bytes / 1000).toFixed(1)} kB of ${page.budget / 1000} kB gzip`);
  if (bytes > page.budget) process.exitCode = 1;
}
