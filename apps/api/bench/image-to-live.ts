import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CreatedAccessToken, Project } from '@nephos/contracts';
import { isInstalled } from '../../../tools/require-tool.ts';
import { type DockerDaemon, startDockerDaemon } from '../test/docker-daemon.ts';
import { type Console, startConsole } from './console.ts';
import { helloFiles, liveFinding, untilLive, VERSIONS } from './live-version.ts';
import { type Finding, median } from './measure.ts';

const run = promisify(execFile);

/** Of the account bench@example.com, at the address by which a console of no other calls itself. */
const imageOf = ({ port }: Console) => `localhost:${port}/bench/hello:latest`;
const TARGET_MS = 10_000;

/** References of images, one for each version, in a registry beside the daemon, which keeps only the layers below theirs. */
async function makeVersions(daemon: DockerDaemon): Promise<string[]> {
  const references: string[] = [];
  for (let version = 0; version <= VERSIONS; version += 1) {
    references.push(await daemon.addImage(`version-${version}`, helloFiles(version)));
  }
  return references;
}

async function push(console: Console, token: string, from: string): Promise<void> {
  await run('skopeo', [
    ...['--insecure-policy', 'copy', '--quiet', '--src-tls-verify=false', '--dest-tls-verify=false'],
    ...[`--dest-creds=bench:${token}`, `docker://${from}`, `docker://${imageOf(console)}`],
  ]);
}

async function measure(console: Console, daemon: DockerDaemon): Promise<Finding[]> {
  const [first = '', ...later] = await makeVersions(daemon);
  const { token } = (await console.call('POST', '/api/auth/tokens', {
    ...{ name: 'Bench', scope: 'write' },
  })) as CreatedAccessToken;
  await push(console, token, first);
  const project = (await console.call('POST', '/api/projects', {
    ...{ name: 'Hello', image: imageOf(console) },
  })) as Project;
  await untilLive(console, project, 0);
  const times: number[] = [];
  const pushes: number[] = [];
  for (const [index, reference] of later.entries()) {
    const begun = performance.now();
    await push(console, token, reference);
    pushes.push(performance.now() - begun);
    await untilLive(console, project, index + 1);
    times.push(performance.now() - begun);
  }
  const finding = liveFinding("from the start of an image's push to its first answer", times, TARGET_MS);
  const alone = (median(pushes) / 1000).toFixed(2);
  return [{ ...finding, detail: `${finding.detail}; the push alone, with skopeo, ${alone} s` }];
}

/** From the push of an image's new version to the registry, to its first answer: push, pull by the daemon, switch. */
export async function measureImageToLive(): Promise<Finding[]> {
  const missing = ['dockerd', 'docker-registry', 'busybox', 'skopeo'].filter((name) => !isInstalled(name));
  if (missing.length > 0 || process.getuid?.() !== 0) {
    process.stderr.write('skipped: images need root, docker.io, docker-registry, busybox and skopeo\n');
    return [];
  }
  const daemon = await startDockerDaemon();
  try {
    const console = await startConsole({
      ...{ DEPLOY_RUNTIME: 'docker', DOCKER_HOST: daemon.host, BILLING: 'off' },
    });
    try {
      return await measure(console, daemon);
    } finally {
      await console.stop();
    }
  } finally {
    await daemon.close();
  }
}
