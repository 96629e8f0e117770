import { createWorld, type Person, type World } from '../world.ts';
import { type Call, makeToken, registryClient } from './registry-client.ts';

/** Ada and Bob, each with an access token that may write, and what they and anyone else call the registry with. */
export interface RegistryWorld {
  world: World;
  ada: Person;
  bob: Person;
  adaToken: string;
  bobToken: string;
  asAda: Call;
  asBob: Call;
  asAnyone: Call;
  /** A request as it stands, which answers no challenge. */
  ask(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<PlainAnswer>;
  /** Makes a repository of Ada's public, or private again. */
  publish(name: string, isPublic: boolean): Promise<void>;
  close(): Promise<void>;
}

export interface PlainAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export async function createRegistryWorld(): Promise<RegistryWorld> {
  const world = await createWorld();
  const { url } = world;
  const ada = await world.as('Ada');
  const bob = await world.as('Bob');
  const adaToken = (await makeToken(ada)).token;
  const bobToken = (await makeToken(bob)).token;
  return {
    world,
    ada,
    bob,
    adaToken,
    bobToken,
    asAda: registryClient({ url, username: ada.user.email, password: adaToken }),
    asBob: registryClient({ url, username: bob.user.email, password: bobToken }),
    asAnyone: registryClient({ url }),
    async ask(method, path, headers = {}, body) {
      const response = await fetch(new URL(path, url), { method, headers, ...(body && { body }) });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    async publish(name, isPublic) {
      const card = (await ada.rpc.containers.list.query()).find((image) => image.name === name);
      await ada.rpc.containers.update.mutate({ id: card?.id ?? '', isPublic });
    },
    close: () => world.close(),
  };
}

/** RFC 7617. */
export function basic(account: string, secret: string): string {
  return `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}`;
}
