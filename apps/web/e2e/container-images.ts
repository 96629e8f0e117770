import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import {
  type Call,
  descriptorOf,
  OCI_INDEX,
  OCI_MANIFEST,
  pushImage,
  putManifest,
} from '../../api/test/containers/registry-client.ts';

const run = promisify(execFile);

/** Leaves an OCI layout with an image of one layer in a folder, as a build does. */
export async function buildImage(folder: string, layout: string): Promise<void> {
  const image = ['--image', `${layout}:latest`];
  const options = { cwd: folder };
  await writeFile(join(folder, 'app'), randomBytes(50_000));
  await run('umoci', ['init', '--layout', layout], options);
  await run('umoci', ['new', ...image], options);
  await run('umoci', ['insert', '--rootless', ...image, 'app', '/app'], options);
}

/** Pushes an image of two platforms, each under a tag of its own, and its signature. */
export async function pushEverywhere(call: Call, name: string): Promise<void> {
  const amd64 = await pushImage(call, name, { tag: 'amd64' });
  const arm64 = await pushImage(call, name, { tag: 'arm64', layer: Buffer.alloc(300_000, 'arm') });
  const manifests = [
    { ...descriptorOf(OCI_MANIFEST, amd64.content), platform: { os: 'linux', architecture: 'amd64' } },
    {
      ...descriptorOf(OCI_MANIFEST, arm64.content),
      platform: { os: 'linux', architecture: 'arm64', variant: 'v8' },
    },
  ];
  const index = JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests });
  expect((await putManifest(call, name, 'latest', index, OCI_INDEX)).status).toBe(201);
  const signature = JSON.stringify({
    schemaVersion: 2,
    mediaType: OCI_MANIFEST,
    artifactType: 'application/vnd.example.signature',
    config: amd64.config,
    layers: [amd64.layer],
    subject: descriptorOf(OCI_INDEX, index),
  });
  expect((await putManifest(call, name, 'signature', signature)).status).toBe(201);
}
