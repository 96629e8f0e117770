/** The namespace of what is pulled through: no workspace gets it as its handle. */
export const MIRROR_HANDLE = 'mirror';

/** The name that a repository has at the other registry, `library/nginx` for `mirror/library/nginx`. */
export function mirroredName(name: string): string | undefined {
  return name.startsWith(`${MIRROR_HANDLE}/`) ? name.slice(MIRROR_HANDLE.length + 1) : undefined;
}
