import type { RECORD_TYPES } from './constants.ts';
import { problem, type Reading, readHostName } from './dns-names.ts';

/** Octets of a TXT record's text in UTF-8, all of its strings together. */
export const TXT_MAX = 2048;

const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`);

function readIpv4(given: string): Reading {
  if (IPV4.test(given)) return { ok: true, text: given };
  return problem('Enter an IPv4 address without leading zeros, like 203.0.113.10.');
}

/** Canonical by RFC 5952: the address parser's form (§4), with the last 32 bits of a mapped IPv4 address dotted (§5). */
function readIpv6(given: string): Reading {
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

function readTarget(type: 'CNAME' | 'NS' | 'MX', given: string): Reading {
  if (readIpv4(given).ok || readIpv6(given).ok) {
    return problem(
      `${type === 'CNAME' ? 'A' : 'An'} ${type} record points to a host name, not an IP address.`,
    );
  }
  return readHostName(given, { underscores: type === 'CNAME' });
}

/** A domain that takes no mail, RFC 7505: the root in the place of a host. */
export const NULL_MX = '0 .';

function readMailHost(given: string): Reading {
  const [, preference = '', host = ''] = /^(\d{1,5})\s+(\S+)$/.exec(given) ?? [];
  if (host === '.') {
    if (Number(preference) === 0) return { ok: true, text: NULL_MX };
    return problem('If the domain accepts no mail, enter 0 and a dot: 0 .');
  }
  if (host === '' || Number(preference) > 65_535) {
    return problem('Enter a priority from 0 to 65535 and a mail server, like 10 mail.example.com.');
  }
  const target = readTarget('MX', host);
  return target.ok ? { ok: true, text: `${Number(preference)} ${target.text}` } : target;
}

const QUOTED = /^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/;
const STRINGS = /"((?:[^"\\]|\\.)*)"/g;
const ESCAPE = /\\(\d{3})|\\(.)|([^\\]+)/gu;

/** The octets of a zone file's quoted strings (RFC 1035 §5.1), joined; undefined where they are no UTF-8 text. */
function textOfStrings(given: string): string | undefined {
  const joined = [...given.matchAll(STRINGS)].map(([, inner = '']) => inner).join('');
  const octets = [...joined.matchAll(ESCAPE)].flatMap(([, code, escaped, plain]) =>
    code === undefined ? [...new TextEncoder().encode(escaped ?? plain)] : [Number(code)],
  );
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(octets));
  const again = new TextEncoder().encode(text);
  return again.length === octets.length && again.every((octet, at) => octet === octets[at])
    ? text
    : undefined;
}

/**
 * Plain text, in which a quote is a quote; but what is nothing except quoted strings, as zone files and many
 * providers' instructions have it (`"v=DKIM1; …" "…"`), is read as the text that these mean.
 */
function readText(given: string): Reading {
  const text = QUOTED.test(given) ? textOfStrings(given) : given;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (text === undefined || /[\u0000-\u001f\u007f]/.test(text)) {
    return problem('Enter UTF-8 text without control characters, like v=spf1 -all.');
  }
  if (text === '') return problem('Enter the text of the record, like v=spf1 -all.');
  if (new TextEncoder().encode(text).length > TXT_MAX) {
    return problem(`A TXT record can have at most ${TXT_MAX} bytes.`);
  }
  return { ok: true, text };
}

/** A record's value in the canonical text form of its type (RFC 1035 §5, RFC 5952); of TXT the plain text. */
export function readValue(type: (typeof RECORD_TYPES)[number], given: string): Reading {
  switch (type) {
    case 'A':
      return readIpv4(given);
    case 'AAAA':
      return readIpv6(given);
    case 'CNAME':
    case 'NS':
      return readTarget(type, given);
    case 'MX':
      return readMailHost(given);
    case 'TXT':
      return readText(given);
  }
}
