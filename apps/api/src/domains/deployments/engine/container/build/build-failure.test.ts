import { expect, it } from 'vitest';
import { watchBuild } from './build-failure.ts';

const IMAGES = {
  node: 'registry.example.com/node:{version}-slim',
  python: 'python:{version}',
  debian: 'debian:{version}-slim',
  static: 'nginx:1',
};

function causeOf(output: string, syntax?: string): string {
  const watch = watchBuild();
  // As it comes: in pieces that end anywhere.
  for (let at = 0; at < output.length; at += 7) watch.add(output.slice(at, at + 7));
  return watch.cause(IMAGES, { syntax });
}

const part = (name: string, error: string, last = `ERROR: failed to solve: ${error}`) =>
  `#9 ERROR: ${error}\n------\n > ${name}:\n0.3 some output\n------\nDockerfile:2\n${last}\n`;

// What Docker prints: 20.10 with BuildKit of its own, and 28 with buildx.
it.each([
  [
    'a step',
    part(
      '[build 3/5] RUN --mount=type=cache,target=/cache npm ci',
      'process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
    ),
    'npm ci (step build 3/5) exited with code 1',
  ],
  [
    'a step of a generated Dockerfile, by its command alone',
    part(
      '[build 3/5] RUN --mount=type=secret,id=A for file in /run/secrets/*; do [ ! -f "$file" ] || export x; done; npm ci',
      'x',
      'executor failed running [/bin/sh -c npm ci]: exit code: 137',
    ),
    'npm ci (step build 3/5) was killed by SIGKILL',
  ],
  [
    'what a tool lacks',
    `npm error code ENOTFOUND\nnpm error getaddrinfo ENOTFOUND registry.example.com\n${part('[2/2] RUN npm ci', 'process "/bin/sh -c npm ci" did not complete successfully: exit code: 1')}`,
    'npm ci (step 2/2) exited with code 1: the host registry.example.com was not found',
  ],
  [
    'another architecture',
    part(
      '[2/2] RUN ls',
      'exec /bin/sh: exec format error\nprocess "/bin/sh -c ls" did not complete successfully: exit code: 1',
    ),
    `ls (step 2/2) exited with code 1: it is made for another architecture than this server's (${process.arch})`,
  ],
  [
    'a file that is not there',
    part(
      '[2/2] COPY a b /',
      'failed to calculate checksum of ref x::y: "/a": not found',
      'ERROR: failed to solve: failed to compute cache key: failed to calculate checksum of ref x::y: "/a": not found',
    ),
    'COPY a b /: a is not in the repository, or .dockerignore leaves it out',
  ],
  [
    'an image that is private',
    part(
      '[internal] load metadata for docker.io/library/secret:1',
      'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
    ),
    'the image secret:1 could not be had because it does not exist, or it is private',
  ],
  [
    'a base image of the settings',
    part(
      '[internal] load metadata for registry.example.com/node:24-slim',
      'registry.example.com/node:24-slim: not found',
    ),
    'the image registry.example.com/node:24-slim could not be had because there is no such image or tag. Have an administrator set BASE_IMAGE_NODE to an image that this server can get',
  ],
  [
    "the image of Debian that the marketplace's apps begin with",
    part(
      '[internal] load metadata for docker.io/library/debian:trixie-slim',
      'dial tcp: lookup registry-1.docker.io: no such host',
    ),
    'the image debian:trixie-slim could not be had because the host registry-1.docker.io was not found. Have an administrator set BASE_IMAGE_DEBIAN to an image that this server can get',
  ],
  [
    'an image of another architecture',
    part(
      '[internal] load metadata for docker.io/some/app:1',
      'no match for platform in manifest sha256:0: not found',
    ),
    `the image some/app:1 could not be had because it is not made for this server's architecture (${process.arch})`,
  ],
  [
    'a registry that is away',
    part('FROM docker.io/some/app:1', 'dial tcp 192.0.2.1:443: connect: connection refused'),
    'the image some/app:1 could not be had because its registry could not be reached',
  ],
  [
    'a mistake',
    'ERROR: failed to solve: dockerfile parse error on line 3: unknown instruction: FETCH (did you mean X?)\n',
    'line 3 of the Dockerfile: unknown instruction: FETCH (did you mean X?)',
  ],
  [
    'a stage that is not there',
    'ERROR: failed to solve: target stage "prod" could not be found\n',
    'the Dockerfile has no stage prod',
  ],
  ['a full disk', part('[2/2] RUN x', 'write /x: no space left on device'), "the server's disk is full"],
  ['anything else', 'one\n\u001b[31mERROR: the\u001b[0m moon is full\n', 'the moon is full'],
  ['nothing', '', 'docker gave no reason'],
])('tells of %s', (_, output, cause) => {
  expect(causeOf(output)).toBe(cause);
});

it('tells of a mistake that may be none to the syntax image that could not be had', () => {
  const output = 'ERROR: failed to solve: dockerfile parse error on line 3: unknown instruction: APK\n';
  expect(causeOf(output, 'docker/dockerfile:1.4')).toBe(
    'line 3 of the Dockerfile: unknown instruction: APK. Its syntax image docker/dockerfile:1.4, which may know more, could not be had',
  );
});
