import { NUMBERED_PARAMETERS, type RecordType, SERVICE_PARAMETERS, withHost } from '@nephos/contracts';
import { textStrings } from './record-data.ts';

/** A line of a master file (RFC 1035 §5.1), also what `dig` prints. */
export interface RecordLine {
  /** Without final dot. */
  owner: string;
  ttl: number;
  type: RecordType | 'SOA' | 'HINFO';
  /** As `hostText` and `stringsText` make it. */
  data: string;
}

/** A host name in full, with its final dot. */
export function hostText(host: string): string {
  return host.endsWith('.') ? host : `${host}.`;
}

/** Strings in quotes, with what is not plain in RFC 1035 §5.1 escapes. */
export function stringsText(strings: readonly Uint8Array[]): string {
  return strings.map((string) => `"${[...string].map(escapedOctet).join('')}"`).join(' ');
}

function escapedOctet(octet: number): string {
  const character = String.fromCharCode(octet);
  if (character === '"' || character === '\\') return `\\${character}`;
  return octet >= 0x20 && octet < 0x7f ? character : `\\${String(octet).padStart(3, '0')}`;
}

/** In the form that every program of service bindings reads. */
function bindingText(value: string): string {
  return value.replaceAll(/[^ =]+(?==|$| )/g, (word) => {
    const isNumbered = NUMBERED_PARAMETERS.some((name) => name === word);
    return isNumbered ? `key${SERVICE_PARAMETERS.indexOf(word)}` : word;
  });
}

/** A record's canonical value as a master file has it: hosts in full, and text in strings. */
export function dataText(type: RecordType, value: string): string {
  if (type === 'TXT') return stringsText(textStrings(value));
  const text = withHost(type, value, hostText);
  return type === 'HTTPS' || type === 'SVCB' ? bindingText(text) : text;
}

export function lineOf({ owner, ttl, type, data }: RecordLine): string {
  return `${hostText(owner)} ${ttl} IN ${type} ${data}`;
}
