/** Characters at most: the handle is one component of an image's name. */
export const HANDLE_MAX = 40;

/** Room for a hyphen and a number of six digits. */
const STEM_MAX = HANDLE_MAX - 7;

const SEPARATOR_AT_END = /[._-]+$/;

/**
 * A handle from an email's local part, by the OCI distribution spec's path component:
 * `[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*`, at most 40 characters.
 */
export function handleFrom(email: string): string {
  const local = email
    .slice(0, email.lastIndexOf('@'))
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '');
  const handle = local
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/[._-]{2,}/g, (run) => (/^(__|-+)$/.test(run) ? run : '-'))
    .replace(/^[._-]+/, '')
    .slice(0, HANDLE_MAX)
    .replace(SEPARATOR_AT_END, '');
  return handle || 'user';
}

/** What a number is put behind when a handle is taken: short enough for both. */
export function stemOf(handle: string): string {
  return handle.slice(0, STEM_MAX).replace(SEPARATOR_AT_END, '');
}
