import type { RecordType } from '@nephos/contracts';
import type { ZoneData, ZoneRecord } from '../../src/domains/dns/server/zone.ts';

/** A generator of numbers in [0, 1) that a seed decides (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LABELS = [
  'www',
  'mail',
  'api',
  'a',
  'b-c',
  '_dmarc',
  '_sip',
  'xn--bcher-kva',
  '0',
  'x'.repeat(63),
  '*',
];
const TEXTS = [
  '',
  'v=spf1 include:_spf.example.com ~all',
  'say "hi"; or not',
  'back\\slash \\"both\\" \\001',
  'grüße € 🎈',
  'semicolon ; $ORIGIN @ ( )',
  'x'.repeat(255),
  'y'.repeat(256),
  `${'z'.repeat(254)}"\\`,
  'long '.repeat(400),
];

/** A zone that keeps the rules of zones, as full of odd cases as chance has it. */
export function makeZone(index: number, random: () => number): ZoneData {
  const domain = `zone${index}.example`;
  const upTo = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]) => list[upTo(list.length)] as T;
  const address = () => `192.0.${upTo(256)}.${upTo(256)}`;
  const records: ZoneRecord[] = [];
  const add = (owner: string, type: RecordType, ttl: number, ...values: string[]) => {
    for (const value of new Set(values)) records.push({ owner, type, value, ttl });
  };
  const ttl = () => 60 + upTo(86_400);
  const host = `host.${domain}`;
  add(host, 'A', ttl(), address());
  if (random() < 0.8) add(domain, 'A', ttl(), address(), address());
  if (random() < 0.5) add(domain, 'AAAA', ttl(), `2001:db8::${1 + upTo(9999)}`, '::ffff:192.0.2.1');
  if (random() < 0.7) add(domain, 'MX', ttl(), `${upTo(65_536)} ${host}`, '10 mx.elsewhere.invalid');
  if (random() < 0.2) add(`parked.${domain}`, 'MX', ttl(), '0 .');
  if (random() < 0.3) add(domain, 'NS', ttl(), 'ns.elsewhere.invalid', host);
  if (random() < 0.8) add(domain, 'TXT', ttl(), pick(TEXTS), pick(TEXTS));
  const digest = (octets: number) => {
    return Array.from({ length: octets }, () => upTo(256).toString(16).padStart(2, '0')).join('');
  };
  if (random() < 0.4) add(domain, 'CAA', ttl(), '0 issue "ca.example; account=1"', '128 issuewild ";"');
  if (random() < 0.4) add(`_sip._tcp.${domain}`, 'SRV', ttl(), `${upTo(65_536)} 5 5060 ${host}`, '0 0 0 .');
  if (random() < 0.4) add(`1.ptr.${domain}`, 'PTR', ttl(), host, '_svc._tcp.elsewhere.invalid');
  if (random() < 0.4)
    add(`_443._tcp.${domain}`, 'TLSA', ttl(), `3 1 1 ${digest(32)}`, `2 0 0 ${digest(300)}`);
  if (random() < 0.4) add(domain, 'SSHFP', ttl(), `4 2 ${digest(32)}`, `1 1 ${digest(20)}`);
  if (random() < 0.4) {
    const hints = `ipv4hint=${address()} ech=AEX+DQ== ipv6hint=2001:db8::1,::ffff:192.0.2.1`;
    add(domain, 'HTTPS', ttl(), `1 . mandatory=alpn,port alpn=h2,h3 port=${upTo(65_536)} ${hints}`);
    add(`_dns.${domain}`, 'SVCB', ttl(), `1 ${host} alpn=h2 no-default-alpn dohpath=/q{?dns}`, '2 .');
    add(`www2.${domain}`, 'HTTPS', ttl(), '0 www.elsewhere.invalid');
  }
  const owners = new Set<string>();
  for (let count = upTo(15); count > 0; count -= 1) {
    const label = pick(LABELS);
    owners.add(random() < 0.4 && label !== '*' ? `${label}.deep.er` : label);
  }
  for (const name of owners) {
    const owner = `${name}.${domain}`;
    const kind = random();
    if (kind < 0.25) add(owner, 'CNAME', ttl(), pick([host, domain, 'www.elsewhere.invalid']));
    else if (kind < 0.5) add(owner, 'TXT', ttl(), pick(TEXTS));
    else add(owner, 'AAAA', ttl(), '2001:db8::2', '2001:db8::3');
  }
  if (random() < 0.4) {
    add(`sub.${domain}`, 'NS', ttl(), `ns.sub.${domain}`, 'ns.elsewhere.invalid');
    add(`ns.sub.${domain}`, 'A', ttl(), address());
    if (random() < 0.5) add(`sub.${domain}`, 'DS', ttl(), `${upTo(65_536)} 13 2 ${digest(32)}`);
  }
  return { domain, serial: 1 + upTo(2 ** 31), records };
}
