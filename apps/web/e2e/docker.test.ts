import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerImage } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDockerEngine } from '../../api/test/containers/docker-engine.ts';
import { makeToken } from '../../api/test/containers/registry-client.ts';
import { createWorld, type Person, type World } from '../../api/test/world.ts';
import { dockerCommands } from '../src/features/containers/registry-commands.ts';

const engine = await startDockerEngine();

describe.skipIf(!engine)('Docker', () => {
  let world: World;
  let ada: Person;

  beforeAll(async () => {
    world = await createWorld();
    ada = await world.as('Ada');
  });
  afterAll(async () => {
    await engine?.stop();
    await world.close();
  });

  async function docker(command: string, input?: string): Promise<string> {
    const [program, ...args] = command.split(' ');
    expect(program).toBe('docker');
    return (await engine?.docker(args, input)) ?? '';
  }

  /** The commands of Pull Instructions, by their labels. */
  async function commandsFor(name: string): Promise<Record<string, string>> {
    const registry = await ada.rpc.containers.registry.query();
    const commands = dockerCommands({ registry, image: { name, tag: 'latest' }, email: ada.user.email });
    return Object.fromEntries(commands.map(({ label, command }) => [label, command]));
  }

  async function cardOf(name: string): Promise<ContainerImage | undefined> {
    return (await ada.rpc.containers.list.query()).find((image) => image.name === name);
  }

  test('logs in, tags, pushes and pulls by the commands as they are shown', async () => {
    const build = join(engine?.folder ?? '', 'build');
    await mkdir(build);
    await writeFile(join(build, 'Dockerfile'), 'FROM scratch\nCOPY app /app\nCMD ["/app"]\n');
    await writeFile(join(build, 'app'), randomBytes(200_000));
    await docker('docker build --quiet --tag weather:latest build');
    const shown = await commandsFor('ada/weather');
    const logIn = shown['Log in']?.replace(' login ', ' login --password-stdin ') ?? '';
    await expect(docker(logIn, 'correct horse battery')).rejects.toThrow(/access token/);
    expect(await docker(logIn, (await makeToken(ada)).token)).toContain('Login Succeeded');
    await docker(shown.Tag ?? '');
    await docker(shown.Push ?? '');
    const pushed = await cardOf('ada/weather');
    expect(pushed).toMatchObject({ tag: 'latest', isPublic: false, pullCount: 0 });
    expect(pushed?.size).toBeGreaterThan(200_000);

    const target = shown.Pull?.split(' ').at(-1) ?? '';
    await docker(`docker image rm weather:latest ${target}`);
    expect(await docker(shown.Pull ?? '')).toContain(`Digest: ${pushed?.digest}`);
    expect(await cardOf('ada/weather')).toMatchObject({ pullCount: 1 });
    const [inspected] = JSON.parse(await docker(`docker image inspect ${target}`)) as {
      RepoDigests: string[];
    }[];
    expect(inspected?.RepoDigests).toEqual([expect.stringContaining(pushed?.digest ?? 'no digest')]);
  });

  test('mounts the layers that another repository has', async () => {
    const [first, second] = [await commandsFor('ada/weather'), await commandsFor('ada/copy')];
    const [from, to] = [first, second].map(({ Pull = '' }) => Pull.split(' ').at(-1));
    await docker(`docker tag ${from} ${to}`);
    expect(await docker(second.Push ?? '')).toContain('Mounted from ada/weather');
    expect(await cardOf('ada/copy')).toMatchObject({ digest: (await cardOf('ada/weather'))?.digest });
  });

  test('logged out, pulls what is public and nothing else', async () => {
    const { Pull = '' } = await commandsFor('ada/weather');
    await docker(`docker logout ${(await ada.rpc.containers.registry.query()).host}`);
    await expect(docker(Pull)).rejects.toThrow(/unauthorized|denied|access token/i);
    const id = (await cardOf('ada/weather'))?.id ?? '';
    await ada.rpc.containers.update.mutate({ id, isPublic: true });
    expect(await docker(Pull)).toContain('Image is up to date');
  });
});
