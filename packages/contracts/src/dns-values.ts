import type { RECORD_TYPES } from './constants.ts';
import { readCaa } from './dns-caa.ts';
import { readDs, readSshfp, readTlsa } from './dns-digests.ts';
import { readIpv4, readIpv6, readTarget } from './dns-hosts.ts';
import { problem, type Reading } from './dns-names.ts';
import { readServiceBinding } from './dns-service-bindings.ts';
import { readService } from './dns-services.ts';

/** Octets of a TXT record's text in UTF-8, all of its strings together. */
export const TXT_MAX = 2048;

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

/** Characters of a canonical value, but of TXT, which is counted in octets. */
const VALUE_MAX = 2048;

function readAny(type: (typeof RECORD_TYPES)[number], given: string): Reading {
  switch (type) {
    case 'A':
      return readIpv4(given);
    case 'AAAA':
      return readIpv6(given);
    case 'CNAME':
    case 'NS':
    case 'PTR':
    case 'ALIAS':
      return readTarget(type, given);
    case 'MX':
      return readMailHost(given);
    case 'TXT':
      return readText(given);
    case 'CAA':
      return readCaa(given);
    case 'SRV':
      return readService(given);
    case 'TLSA':
      return readTlsa(given);
    case 'SSHFP':
      return readSshfp(given);
    case 'DS':
      return readDs(given);
    case 'HTTPS':
    case 'SVCB':
      return readServiceBinding(type, given);
  }
}

/**
 * A record's value in the canonical text form of its type (RFC 1035 §5 and the type's own), a space between fields and
 * no final dots; of TXT the plain text.
 */
export function readValue(type: (typeof RECORD_TYPES)[number], given: string): Reading {
  const reading = readAny(type, given);
  if (type === 'TXT' || !reading.ok || reading.text.length <= VALUE_MAX) return reading;
  return problem(`The value can have at most ${VALUE_MAX} characters.`);
}
