import type { AcmeSettings } from '../../core/settings.ts';

type Library = typeof import('acme-client');
export type LoadLibrary = () => Promise<Library>;

/** Loads the library at the first need: most servers never have it, and it is large. `root` is PEM. */
export function createLibrary(
  { directory }: Pick<AcmeSettings, 'directory'>,
  root: string | undefined,
): LoadLibrary {
  let loading: Promise<Library> | undefined;
  return () => {
    loading ??= load(directory, root);
    return loading;
  };
}

async function load(directory: string, root: string | undefined): Promise<Library> {
  const { default: library } = await import('acme-client');
  const { createTransport } = await import('./authority-transport.ts');
  library.axios.defaults.adapter = createTransport(directory, root);
  return library;
}
