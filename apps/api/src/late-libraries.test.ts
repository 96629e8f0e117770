import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** What many servers never need. All of it together is a tenth of a server's memory. */
const LATE = [
  ...[
    '@aws-sdk/client-s3',
    'acme-client',
    'fflate',
    'mongodb',
    'mysql2',
    'nodemailer',
    'openai',
    'openid-client',
  ],
  ...['otpauth', 'smol-toml', 'stripe', 'tldts', 'undici', 'yaml'],
];

/** Of a module, what it loads with itself: `import type` is gone by then, and `import()` comes later. */
const LOADED = /^(?:import|export) (?!type )[^;]*?from '([^']+)';|^import '([^']+)';/gm;

/** The packages that a file loads with itself, each with the file of ours that names it. */
function packagesOf(file: string, seen = new Set<string>(), found = new Map<string, string>()) {
  seen.add(file);
  for (const [, from, alone] of readFileSync(file, 'utf8').matchAll(LOADED)) {
    const named = from ?? alone ?? '';
    const path = join(dirname(file), named);
    if (!named.startsWith('.')) found.set(/^(?:@[^/]+\/)?[^/]+/.exec(named)?.[0] ?? '', file);
    else if (!seen.has(path)) packagesOf(path, seen, found);
  }
  return found;
}

test('libraries that many servers never need are not loaded with the server', () => {
  const packages = packagesOf(join(import.meta.dirname, 'main.ts'));
  expect(packages.keys()).toContain('fastify');
  expect(LATE.flatMap((name) => packages.get(name) ?? [])).toEqual([]);
});
