import type { ContainerImage, Inputs } from '@nephos/contracts';
import type { Person } from '../world.ts';

/** Registers an image's name in the console. */
export function register(
  { rpc }: Pick<Person, 'rpc'>,
  input: Partial<Inputs['containers']['create']> = {},
): Promise<ContainerImage> {
  return rpc.containers.create.mutate({ name: 'app', ...input });
}

/** The card of someone's image. Throws where there is none. */
export async function imageOf(
  { rpc }: Pick<Person, 'rpc'>,
  name: string,
  tag = 'latest',
): Promise<ContainerImage> {
  const image = (await rpc.containers.list.query()).find((one) => one.name === name && one.tag === tag);
  if (!image) throw new Error(`there is no ${name}:${tag}`);
  return image;
}
