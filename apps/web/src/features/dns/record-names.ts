import { type DnsRecord, type NameServer, wholeName } from '@nephos/contracts';

/** Where the name server answers, as one writes an address with a port: `127.0.0.1:5353`, `[::1]:5353`. */
export function addressOf({ host, port }: Pick<NameServer, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The shell command that asks the name server for a record. */
export function digCommand(
  { host, port }: Pick<NameServer, 'host' | 'port'>,
  record: Pick<DnsRecord, 'domain' | 'name' | 'recordType'>,
): string {
  const name = wholeName(record.name, record.domain);
  // A shell would look for files of that name.
  const word = name.includes('*') ? `'${name}'` : name;
  // An ALIAS is answered with addresses.
  const type = record.recordType === 'ALIAS' ? 'A' : record.recordType;
  return `dig @${host} -p ${port} ${word} ${type}`;
}

/** What a record is called on buttons: its type and the name that it answers for. */
export function recordTitle({
  recordType,
  name,
  domain,
}: Pick<DnsRecord, 'recordType' | 'name' | 'domain'>): string {
  return `${recordType} ${wholeName(name, domain)}`;
}
