import type { ContainerImage, RegistryAddress } from '@nephos/contracts';

export interface RegistryCommand {
  /** What it does. */
  label: string;
  /** As a shell takes it. */
  command: string;
}

export interface CommandTarget {
  registry: Pick<RegistryAddress, 'host' | 'secure'>;
  image: Pick<ContainerImage, 'name' | 'tag'>;
  /** The email address of the person who signs in. */
  email: string;
}

const PLAIN_WORD = /^[A-Za-z0-9@%+=:,./_-]+$/;

/** A word as a POSIX shell reads it back. */
function quoted(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The image as clients name it: `localhost:3000/ada/weather:latest`. */
export function referenceOf({ registry, image }: Pick<CommandTarget, 'registry' | 'image'>): string {
  return `${registry.host}/${image.name}:${image.tag}`;
}

/** What the image is called where it was built: its name without the namespace. */
function localName(name: string): string {
  return name.split('/').at(-1) ?? name;
}

export function dockerCommands({ registry, image, email }: CommandTarget): RegistryCommand[] {
  const reference = referenceOf({ registry, image });
  return [
    { label: 'Log in', command: `docker login --username ${quoted(email)} ${registry.host}` },
    { label: 'Pull', command: `docker pull ${reference}` },
    { label: 'Tag', command: `docker tag ${localName(image.name)}:${image.tag} ${reference}` },
    { label: 'Push', command: `docker push ${reference}` },
  ];
}

/** skopeo refuses plain http unless it is told, even to this machine. Copies go to and from an OCI layout, a folder. */
export function skopeoCommands({ registry, image, email }: CommandTarget): RegistryCommand[] {
  const remote = `docker://${referenceOf({ registry, image })}`;
  const layout = `oci:${localName(image.name)}:${image.tag}`;
  const insecure = (flag: string) => (registry.secure ? '' : ` --${flag}=false`);
  return [
    {
      label: 'Log in',
      command: `skopeo login${insecure('tls-verify')} --username ${quoted(email)} ${registry.host}`,
    },
    { label: 'Pull', command: `skopeo copy${insecure('src-tls-verify')} ${remote} ${layout}` },
    { label: 'Push', command: `skopeo copy${insecure('dest-tls-verify')} ${layout} ${remote}` },
    { label: 'Inspect', command: `skopeo inspect${insecure('tls-verify')} ${remote}` },
  ];
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/** Whether Docker talks to the registry only once it is listed as insecure: plain http from beyond this machine. */
export function needsInsecureRegistry({ host, secure }: Pick<RegistryAddress, 'host' | 'secure'>): boolean {
  return !secure && !LOOPBACK.test(host);
}
