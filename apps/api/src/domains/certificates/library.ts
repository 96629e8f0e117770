import type { AcmeSettings } from '../../core/settings.ts';
import { createTransport } from './authority-transport.ts';

type Library = typeof import('acme-client');
export type LoadLibrary = () => Promise<Library>;

/** Loads the library at the first need: most servers never have it, and it is large. `root` is PEM. */
export function createLibrary(
  { directory }: Pick<AcmeSettings, 'directory'>,
  root: string | undefined,
): LoadLibrary {
  let loading: Promise<Library> | undefined;
  return () => {
    loading ??= import('acme-client').then(({ default: library }) => {
      library.axios.defaults.adapter = createTransport(directory, root);
      return library;
    });
    return loading;
  };
}
