/** The value of one cookie in a `Cookie` header, as sent; undefined where absent or empty. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`;
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(prefix));
  return pair?.trim().slice(prefix.length) || undefined;
}

export interface CookieOptions {
  name: string;
  /** It has only characters that need no escaping in a cookie. */
  value: string;
  /** Seconds; 0 deletes it. */
  maxAge: number;
  /** Only over https. */
  secure: boolean;
}

/** A `Set-Cookie` value: for the whole origin, out of reach of scripts and of other sites' requests but links. */
export function writeCookie({ name, value, maxAge, secure }: CookieOptions): string {
  const base = `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
  return secure ? `${base}; Secure` : base;
}

/** The cookie's name with the prefix that keeps other hosts and plain http from setting it (RFC 6265bis §4.1.3.2). */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}
