import { createHmac } from 'node:crypto';
import type { Project } from '@nephos/contracts';
import { pushHookPath } from '@nephos/contracts';
import { startGitServer } from '../test/git-server.ts';
import type { Console } from './console.ts';
import { helloFiles, liveFinding, untilLive, VERSIONS } from './live-version.ts';
import type { Finding } from './measure.ts';

const REPOSITORY = 'hello';
const TARGET_MS = 10_000;

/** Tells of a push as GitHub does. */
async function deliver(console: Console, project: Project, secret: string, commit: string): Promise<void> {
  const body = JSON.stringify({ ref: 'refs/heads/main', after: commit });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const response = await fetch(console.url + pushHookPath(project.id), {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-github-event': 'push', 'x-github-delivery': commit },
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  });
  const text = await response.text();
  if (!text.includes('"deployed"')) throw new Error(`the hook answered ${response.status}: ${text}`);
}

/** From a push hook's delivery to the first answer of what was pushed: hook, clone by HTTP, build, switch. */
export async function measurePushToLive(console: Console): Promise<Finding[]> {
  const git = await startGitServer();
  try {
    await git.createRepository(REPOSITORY, helloFiles(0));
    const repositoryUrl = git.url(REPOSITORY);
    const project = (await console.call('POST', '/api/projects', {
      name: 'Hello',
      repositoryUrl,
    })) as Project;
    await untilLive(console, project, 0);
    const { secret } = (await console.call('POST', `/api/projects/${project.id}/push-hook/secret`)) as {
      secret: string;
    };
    const times: number[] = [];
    for (let version = 1; version <= VERSIONS; version += 1) {
      const commit = await git.commit(REPOSITORY, helloFiles(version), `Version ${version}`);
      const begun = performance.now();
      await deliver(console, project, secret, commit);
      await untilLive(console, project, version);
      times.push(performance.now() - begun);
    }
    return [liveFinding('from a push hook to the first answer of a hello world', times, TARGET_MS)];
  } finally {
    await git.close();
  }
}
