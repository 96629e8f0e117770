import type { RecordType } from '@nephos/contracts';
import type { Answer } from 'dns-packet';
import { dataText, hostText, stringsText } from './presentation.ts';
import { TYPE } from './protocol.ts';
import { decodeServiceBinding } from './service-binding.ts';

const SERVICE_BINDINGS = ['HTTPS', 'SVCB'] as const;

/** The type of a record that the library has no name for. */
function serviceBindingOf({ type }: Answer): RecordType | undefined {
  return SERVICE_BINDINGS.find((name) => `UNKNOWN_${TYPE[name]}` === String(type));
}

function digestOf(octets: Buffer): string {
  return octets.toString('hex').toUpperCase();
}

/** The data of a record as `dig` prints them; undefined for types that we never answer with. */
function dataOf(record: Answer): string | undefined {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return record.data;
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return hostText(record.data);
    case 'MX':
      return `${record.data.preference ?? 0} ${hostText(record.data.exchange)}`;
    case 'TXT': {
      const strings = Array.isArray(record.data) ? record.data : [record.data];
      return stringsText(strings.map((string) => Buffer.from(string)));
    }
    case 'CAA':
      return `${record.data.flags ?? 0} ${record.data.tag} "${record.data.value}"`;
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = record.data;
      return `${priority} ${weight} ${port} ${hostText(target)}`;
    }
    case 'TLSA': {
      const { usage, selector, matchingType, certificate } = record.data;
      return `${usage} ${selector} ${matchingType} ${digestOf(certificate)}`;
    }
    case 'SSHFP':
      return `${record.data.algorithm} ${record.data.hash} ${record.data.fingerprint}`;
    case 'DS': {
      const { keyTag, algorithm, digestType, digest } = record.data;
      return `${keyTag} ${algorithm} ${digestType} ${digestOf(digest)}`;
    }
    default:
      return undefined;
  }
}

/** A record as `dig` prints it; of types that we never answer with, only the type. */
export function answerLine(record: Answer): string {
  const ttl = 'ttl' in record ? record.ttl : 0;
  const begin = `${hostText(record.name)} ${ttl} IN`;
  const binding = serviceBindingOf(record);
  if (binding && 'data' in record && Buffer.isBuffer(record.data)) {
    return `${begin} ${binding} ${dataText(binding, decodeServiceBinding(record.data))}`;
  }
  return [begin, record.type, dataOf(record)].filter((part) => part !== undefined).join(' ');
}
