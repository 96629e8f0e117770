import type { RECORD_TYPES } from './constants.ts';
import { problem, type Reading, readHostName } from './dns-names.ts';

type Type = (typeof RECORD_TYPES)[number];

const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`);

export function readIpv4(given: string): Reading {
  if (IPV4.test(given)) return { ok: true, text: given };
  return problem('Enter an IPv4 address without leading zeros, like 203.0.113.10.');
}

/** Canonical by RFC 5952: the address parser's form (§4), with the last 32 bits of a mapped IPv4 address dotted (§5). */
export function readIpv6(given: string): Reading {
  if (!/^[0-9a-f:.]+$/i.test(given) || !URL.canParse(`http://[${given}]`)) {
    return problem('Enter an IPv6 address, like 2001:db8::10.');
  }
  const text = new URL(`http://[${given}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return { ok: true, text };
  const octets = [high, low].flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 255];
  });
  return { ok: true, text: `::ffff:${octets.join('.')}` };
}

/** Types whose hosts may be names of services, such as `_dns.example.com` (RFC 8552). */
const WITH_UNDERSCORES: ReadonlySet<Type> = new Set(['CNAME', 'PTR', 'HTTPS', 'SVCB', 'ALIAS']);

/** As a sentence has a type: `an MX`, `a PTR`. */
export function withArticle(type: Type): string {
  return `${/^[CDPT]/.test(type) ? 'a' : 'an'} ${type}`;
}

/** The host that a record of the type points to; an address is none. */
export function readTarget(type: Type, given: string): Reading {
  if (readIpv4(given).ok || readIpv6(given).ok) {
    const [first = '', ...rest] = withArticle(type);
    return problem(`${first.toUpperCase()}${rest.join('')} record points to a host name, not an IP address.`);
  }
  return readHostName(given, { underscores: WITH_UNDERSCORES.has(type) });
}

/** Where a value names a host, by type: the field that it is, of those that spaces separate. */
const HOST_FIELD: Partial<Record<Type, number>> = {
  CNAME: 0,
  NS: 0,
  PTR: 0,
  ALIAS: 0,
  MX: 1,
  HTTPS: 1,
  SVCB: 1,
  SRV: 3,
};

/** A value with its host changed; what names no host is as it was. */
export function withHost(type: Type, value: string, change: (host: string) => string): string {
  const at = HOST_FIELD[type];
  if (at === undefined) return value;
  const fields = value.split(' ');
  const host = fields[at];
  return host === undefined ? value : fields.with(at, change(host)).join(' ');
}

/** The host that a canonical value names, `.` for none; undefined where values of the type name no host. */
export function hostIn(type: Type, value: string): string | undefined {
  const at = HOST_FIELD[type];
  return at === undefined ? undefined : value.split(' ')[at];
}
