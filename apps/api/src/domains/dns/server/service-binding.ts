import { SERVICE_PARAMETERS } from '@nephos/contracts';
import ipaddr from 'ipaddr.js';
import { nameOf } from './names.ts';

/** Key and length of a parameter, RFC 9460 §2.2. */
const PARAMETER_HEAD = 4;

function twoOctets(number: number): Buffer {
  const octets = Buffer.alloc(2);
  octets.writeUInt16BE(number);
  return octets;
}

function joined<T>(items: readonly T[], encode: (item: T) => Uint8Array): Buffer {
  return Buffer.concat(items.map(encode));
}

function* inSteps(octets: Buffer, step: number): Generator<Buffer> {
  for (let at = 0; at < octets.length; at += step) yield octets.subarray(at, at + step);
}

function addressText(octets: Buffer): string {
  return ipaddr.fromByteArray([...octets]).toString();
}

function* stringsIn(octets: Buffer): Generator<string> {
  for (let at = 0; at < octets.length; at += 1 + (octets[at] ?? 0)) {
    yield octets.toString('latin1', at + 1, at + 1 + (octets[at] ?? 0));
  }
}

interface Codec {
  encode(text: string): Buffer;
  decode(octets: Buffer): string;
}

const EMPTY: Codec = { encode: () => Buffer.alloc(0), decode: () => '' };

const ADDRESSES = (length: number): Codec => ({
  encode: (text) =>
    joined(text.split(','), (address) => Uint8Array.from(ipaddr.parse(address).toByteArray())),
  decode: (octets) => [...inSteps(octets, length)].map(addressText).join(','),
});

/** How the values of parameters travel (RFC 9460 §7 and §8, RFC 9461 §5, RFC 9540 §4). */
const CODECS: Readonly<Record<string, Codec>> = {
  mandatory: {
    encode: (text) => joined(text.split(','), (key) => twoOctets(SERVICE_PARAMETERS.indexOf(key))),
    decode: (octets) =>
      [...inSteps(octets, 2)].map((key) => SERVICE_PARAMETERS[key.readUInt16BE()] ?? '').join(','),
  },
  alpn: {
    encode: (text) =>
      joined(text.split(','), (id) => Buffer.from(String.fromCharCode(id.length) + id, 'latin1')),
    decode: (octets) => [...stringsIn(octets)].join(','),
  },
  'no-default-alpn': EMPTY,
  port: { encode: (text) => twoOctets(Number(text)), decode: (octets) => String(octets.readUInt16BE()) },
  ipv4hint: ADDRESSES(4),
  ech: { encode: (text) => Buffer.from(text, 'base64'), decode: (octets) => octets.toString('base64') },
  ipv6hint: ADDRESSES(16),
  dohpath: { encode: (text) => Buffer.from(text), decode: (octets) => octets.toString() },
  ohttp: EMPTY,
};

function encodeParameter(text: string): Buffer {
  const [name = '', ...rest] = text.split('=');
  const data = CODECS[name]?.encode(rest.join('='));
  if (!data) throw new TypeError(`There is no parameter ${name}.`);
  return Buffer.concat([twoOctets(SERVICE_PARAMETERS.indexOf(name)), twoOctets(data.length), data]);
}

/** The data of an HTTPS or SVCB record; `value` is canonical. */
export function encodeServiceBinding(value: string): Buffer {
  const [priority, host = '.', ...parameters] = value.split(' ');
  return Buffer.concat([
    twoOctets(Number(priority)),
    Buffer.from(nameOf(host), 'latin1'),
    ...parameters.map(encodeParameter),
  ]);
}

function hostAt(octets: Buffer, begin: number): { host: string; end: number } {
  const labels: string[] = [];
  let at = begin;
  for (let length = octets[at] ?? 0; length !== 0; length = octets[at] ?? 0) {
    labels.push(octets.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { host: labels.length === 0 ? '.' : labels.join('.'), end: at + 1 };
}

/** The text of such data, as `encodeServiceBinding` makes them. */
export function decodeServiceBinding(octets: Buffer): string {
  const { host, end } = hostAt(octets, 2);
  const words = [String(octets.readUInt16BE()), host];
  for (let at = end; at + PARAMETER_HEAD <= octets.length; ) {
    const name = SERVICE_PARAMETERS[octets.readUInt16BE(at)] ?? '';
    const data = at + PARAMETER_HEAD;
    at = data + octets.readUInt16BE(at + 2);
    const text = CODECS[name]?.decode(octets.subarray(data, at)) ?? '';
    words.push(text === '' ? name : `${name}=${text}`);
  }
  return words.join(' ');
}
