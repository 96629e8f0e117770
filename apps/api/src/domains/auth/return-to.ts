const HOME = '/';
const MAX_LENGTH = 2048;
/** Only there to resolve against: a path that leads elsewhere gets another origin. */
const BASE = 'http://console.invalid';

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them, which changes where a path leads
const UNSAFE = /[\u0000-\u001f\u007f\\]/;

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Where to go after logging in: the given path in its normal form when it is one of the console's pages, else `/`.
 * Never another origin, and never the API, whose `/api/logout` would end what has just begun.
 */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || UNSAFE.test(value)) return HOME;
  if (!value.startsWith('/') || !URL.canParse(value, BASE)) return HOME;
  const url = new URL(value, BASE);
  const path = decoded(url.pathname)?.toLowerCase();
  if (url.origin !== BASE || path === undefined || UNSAFE.test(path)) return HOME;
  if (path.startsWith('//') || path === '/api' || path.startsWith('/api/')) return HOME;
  return url.pathname + url.search + url.hash;
}
