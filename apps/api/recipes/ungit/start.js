import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const { HOST = '127.0.0.1', PORT, NEPHOS_DATA, ADMIN_PASSWORD } = process.env;
const repositories = join(NEPHOS_DATA, 'repositories');

if (!ADMIN_PASSWORD) {
  console.error('Set ADMIN_PASSWORD: without it, anyone could change the repositories.');
  process.exit(1);
}

if (spawnSync('git', ['--version']).error) {
  console.error(
    'Ungit needs Git. Install it on this server or, where apps run in containers, in BASE_IMAGE_NODE.',
  );
  process.exit(1);
}

mkdirSync(repositories, { recursive: true });
Object.assign(process.env, {
  // Where Git looks for its settings and for keys of SSH.
  HOME: NEPHOS_DATA,
  ungit_port: PORT,
  ungit_ungitBindIp: HOST,
  ungit_authentication: 'true',
  ungit_users__admin: ADMIN_PASSWORD,
  ungit_forcedLaunchPath: repositories,
  ungit_ungitVersionCheckOverride: 'true',
});
process.argv.push('--no-launchBrowser');

await import('ungit/bin/ungit');
