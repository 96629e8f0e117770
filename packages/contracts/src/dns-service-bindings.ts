import { readIpv4, readIpv6, readTarget } from './dns-hosts.ts';
import { problem, type Reading } from './dns-names.ts';
import { MAX_UINT16, numberIn } from './dns-numbers.ts';

/** Addresses of one hint: so no set outgrows a message, whatever a short text stands for. */
const MAX_HINTS = 16;

const FORM = 'Enter a priority, a host (or . for this name) and parameters, like 1 . alpn=h2,h3.';

/** `key=value`, whose value may be in quotes, or `key`. */
const PARAMETER = /^([a-z0-9-]+)(?:=(?:"([^"\\]*)"|([^\s"\\]*)))?$/i;
/** Words, in which quotes hold spaces together. */
const WORDS = /(?:[^\s"]|"[^"]*")+/g;

const ALPN_ID = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}$/;
const BASE64 = /^(?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?$/i;

function listOf(text: string, read: (item: string) => string | undefined): string | undefined {
  const items = text.split(',').map(read);
  return items.includes(undefined) || new Set(items).size < items.length ? undefined : items.join(',');
}

function addressesOf(text: string, read: (item: string) => Reading): string | undefined {
  if (text.split(',').length > MAX_HINTS) return undefined;
  return listOf(text, (item) => {
    const reading = read(item);
    return reading.ok ? reading.text : undefined;
  });
}

interface Key {
  /** Its canonical value; '' for a key that has none, undefined where it is not one. */
  read(value: string): string | undefined;
  /** What its value is. */
  form: string;
}

/** RFC 9460 §14.3.2 in the order of their numbers, and RFC 9461 and 9540. */
const KEYS: Readonly<Record<string, Key>> = {
  mandatory: {
    read: (value) =>
      listOf(value, (key) => (key !== 'mandatory' && Object.hasOwn(KEYS, key) ? key : undefined)),
    form: 'names of other parameters, like mandatory=alpn,port',
  },
  alpn: {
    read: (value) => listOf(value, (id) => (ALPN_ID.test(id) ? id : undefined)),
    form: 'protocols, like alpn=h2,h3',
  },
  'no-default-alpn': { read: (value) => (value === '' ? '' : undefined), form: 'no value' },
  port: { read: (value) => numberIn(value, MAX_UINT16)?.toString(), form: 'a number, like port=8443' },
  ipv4hint: {
    read: (value) => addressesOf(value, readIpv4),
    form: `at most ${MAX_HINTS} IPv4 addresses, like ipv4hint=203.0.113.10`,
  },
  ech: {
    read: (value) => (value !== '' && BASE64.test(value) ? value : undefined),
    form: 'text in Base64',
  },
  ipv6hint: {
    read: (value) => addressesOf(value, readIpv6),
    form: `at most ${MAX_HINTS} IPv6 addresses, like ipv6hint=2001:db8::10`,
  },
  dohpath: {
    read: (value) => (/^\/[\x21\x23-\x5b\x5d-\x7e]*\{\?dns\}/.test(value) ? value : undefined),
    form: 'a path, like dohpath=/dns-query{?dns}',
  },
  ohttp: { read: (value) => (value === '' ? '' : undefined), form: 'no value' },
};

/** Names of the parameters that a service binding can have; the place of each is its number on the wire. */
export const SERVICE_PARAMETERS: readonly string[] = Object.keys(KEYS);

/** Parameters that older programs know by number alone (RFC 9460 §2.1); their values are plain text. */
export const NUMBERED_PARAMETERS = ['dohpath', 'ohttp'] as const;

function nameOfParameter(written: string): string {
  const name = written.toLowerCase();
  return NUMBERED_PARAMETERS.find((known) => name === `key${SERVICE_PARAMETERS.indexOf(known)}`) ?? name;
}

/** The parameters in the order of their numbers, or what is wrong with them. */
function readParameters(words: readonly string[]): { parameters: Map<string, string> } | { wrong: string } {
  const found = new Map<string, string>();
  for (const word of words) {
    const [, written, quoted, plain = ''] = PARAMETER.exec(word) ?? [];
    const name = nameOfParameter(written ?? '');
    const key = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
    if (!key) return { wrong: `Parameters can be ${SERVICE_PARAMETERS.join(', ')}.` };
    if (found.has(name)) return { wrong: `The parameter ${name} can be there only once.` };
    const value = key.read(quoted ?? plain);
    if (value === undefined) return { wrong: `The parameter ${name} takes ${key.form}.` };
    found.set(name, value);
  }
  return {
    parameters: new Map(
      SERVICE_PARAMETERS.flatMap((name) => {
        const value = found.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

/** RFC 9460 §8 and §7.1.1. */
function problemBetween(parameters: ReadonlyMap<string, string>): string | undefined {
  if (parameters.has('no-default-alpn') && !parameters.has('alpn')) {
    return 'The parameter no-default-alpn needs alpn beside it.';
  }
  const mandatory = parameters.get('mandatory')?.split(',') ?? [];
  const missing = mandatory.find((name) => !parameters.has(name));
  return missing && `The parameter ${missing} is mandatory, but isn't there.`;
}

function parameterText([name, value]: readonly [string, string]): string {
  if (value === '') return name;
  if (name !== 'mandatory') return `${name}=${value}`;
  const keys = value.split(',').sort((a, b) => SERVICE_PARAMETERS.indexOf(a) - SERVICE_PARAMETERS.indexOf(b));
  return `${name}=${keys.join(',')}`;
}

/** Priority, host and parameters of an HTTPS or SVCB record (RFC 9460 §2). Priority 0 makes the name an alias. */
export function readServiceBinding(type: 'HTTPS' | 'SVCB', given: string): Reading {
  const [first, host, ...words] = given.match(WORDS) ?? [];
  const priority = numberIn(first, MAX_UINT16);
  if (priority === undefined || host === undefined) return problem(FORM);
  const target: Reading = host === '.' ? { ok: true, text: '.' } : readTarget(type, host);
  if (!target.ok) return target;
  if (priority === 0) {
    if (host === '.' || words.length > 0)
      return problem('Priority 0 takes only a host, like 0 www.example.com.');
    return { ok: true, text: `0 ${target.text}` };
  }
  const reading = readParameters(words);
  const wrong = 'wrong' in reading ? reading.wrong : problemBetween(reading.parameters);
  if ('wrong' in reading || wrong !== undefined) return problem(wrong ?? FORM);
  return { ok: true, text: [priority, target.text, ...[...reading.parameters].map(parameterText)].join(' ') };
}
