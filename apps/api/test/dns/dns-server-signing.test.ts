import { createPublicKey, verify } from 'node:crypto';
import type { Answer } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { nameOf } from '../../src/domains/dns/server/names.ts';
import type { OwnedSet } from '../../src/domains/dns/server/record-set.ts';
import { orderKeyOf } from '../../src/domains/dns/server/signing/canonical-order.ts';
import { servedSets } from '../../src/domains/dns/server/signing/signed-sets.ts';
import { delegationText, keyTagOf, type ZoneKey } from '../../src/domains/dns/server/signing/zone-key.ts';
import { ZONES } from './dns-cases.ts';
import { packetOf } from './dns-world.ts';
import { DNSSEC_OK, newKey, serveZones, zoneDataOf } from './signed-zones.ts';

const DAY = 86_400;
const NOW = Date.UTC(2026, 1, 3);
const KEY = newKey();
const UNSIGNED = new Set(['other.test']);
/** Sets out of order or of two TTLs, a delegation that is its own name server, and a mail server below it. */
const ODD = [
  '@ 300 TXT b',
  '@ 300 TXT a',
  '@ 300 MX 10 mx.cut.odd.test',
  'cut 300 NS cut.odd.test',
  'cut 300 A 192.0.2.2',
  'mx.cut 300 A 192.0.2.3',
  '_acme-challenge 3600 TXT of the owner',
  '_acme-challenge 5 TXT of an order',
];
const ALL = { ...ZONES, 'odd.test': ODD };
const server = serveZones(
  Object.entries(ALL).map(([domain, records]) =>
    zoneDataOf(domain, records, UNSIGNED.has(domain) ? [] : [KEY]),
  ),
  () => NOW,
);

const RRSIG = 46;
const FIXED = 18;
const DATA = 10;

/** RFC 4034 §3.1.3: neither the root nor the first label of a wildcard counts. */
function labelsOf(owner: string): number {
  let count = owner.startsWith('\u0001*') ? -1 : 0;
  for (let at = 0; owner.charCodeAt(at) > 0; at += owner.charCodeAt(at) + 1) count += 1;
  return count;
}

/** Whether one signature of `key` holds for a set, by RFC 4034 §3.1.8.1 and on nothing that the server shares. */
function holds({ owner, set }: OwnedSet, signature: Buffer, { publicKey }: ZoneKey): boolean {
  const data = signature.subarray(DATA);
  if (data[3] !== labelsOf(owner)) return false;
  const signerEnd = data.indexOf(0, FIXED) + 1;
  const records = set.records
    .map((record) =>
      Buffer.concat([
        Buffer.from(owner, 'latin1'),
        record.subarray(0, 4),
        data.subarray(4, 8),
        record.subarray(8),
      ]),
    )
    .sort((a, b) => a.subarray(owner.length + DATA).compare(b.subarray(owner.length + DATA)));
  const point = Buffer.from(publicKey, 'base64');
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const key = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: coordinate(0), y: coordinate(32) },
    format: 'jwk',
  });
  return verify(
    'sha256',
    Buffer.concat([data.subarray(0, signerEnd), ...records]),
    { key, dsaEncoding: 'ieee-p1363' },
    data.subarray(signerEnd),
  );
}

function zoneOf(domain: string, { zones } = server) {
  const zone = zones.authorityOf(nameOf(domain));
  if (zone?.apex !== nameOf(domain)) throw new Error(`no zone ${domain}`);
  return zone;
}

/** Sets of a zone with the signatures that cover each. */
function signedSetsOf(domain: string, from = server) {
  const all = [...servedSets(from.zones, zoneOf(domain, from))];
  const signatures = all.filter(({ set }) => set.type === RRSIG);
  return all
    .filter(({ set }) => set.type !== RRSIG)
    .map((owned) => ({
      ...owned,
      signatures: signatures
        .filter(
          ({ owner, set }) => owner === owned.owner && set.records[0]?.readUInt16BE(DATA) === owned.set.type,
        )
        .flatMap(({ set }) => set.records),
    }));
}

test.each(Object.keys(ALL).filter((domain) => !UNSIGNED.has(domain)))(
  'every set of %s has a signature that holds, but what is delegated',
  (domain) => {
    const { cuts } = zoneOf(domain);
    const sets = signedSetsOf(domain);
    expect(sets.length).toBeGreaterThan(5);
    for (const owned of sets) {
      const isDelegated = [...cuts].some(
        (cut) => owned.owner.endsWith(cut) && !(owned.owner === cut && [43, 47].includes(owned.set.type)),
      );
      expect(owned.signatures).toHaveLength(isDelegated ? 0 : 1);
      for (const signature of owned.signatures)
        expect([owned.owner, owned.set.type, holds(owned, signature, KEY)]).toEqual([
          owned.owner,
          owned.set.type,
          true,
        ]);
    }
  },
);

test('names come in the order of RFC 4034 §6.1', () => {
  const label = (text: string) => `${String.fromCharCode(text.length)}${text}`;
  const z = `${label('z')}${nameOf('example')}`;
  const ordered = [
    ...['example', 'a.example', 'yljkjljk.a.example', 'z.a.example', 'zabc.a.example', 'z.example'].map(
      nameOf,
    ),
    ...['\0', '\u0001', '\u0001\u0001', '*', '\u00c8'].map((first) => label(first) + z),
  ];
  const also = ['a.example', 'b.a.example', 'a-x.example', 'ab.example'].map((name) =>
    orderKeyOf(nameOf(name)),
  );
  expect(also.toSorted()).toEqual(also);
  const keys = ordered.map(orderKeyOf);
  expect(keys.toSorted()).toEqual(keys);
  expect(new Set(keys).size).toBe(ordered.length);
});

test('NSEC records lead through all names once and back', () => {
  const nextOf = new Map(
    signedSetsOf('example.test')
      .filter(({ set }) => set.type === 47)
      .map(({ owner, set }) => {
        const data = set.records[0]?.subarray(DATA) ?? Buffer.alloc(0);
        return [owner, data.toString('latin1', 0, data.indexOf(0) + 1)] as const;
      }),
  );
  const apex = nameOf('example.test');
  const seen = [apex];
  for (let at = nextOf.get(apex); at && at !== apex && seen.length <= nextOf.size; at = nextOf.get(at))
    seen.push(at);
  expect(seen).toHaveLength(nextOf.size);
  expect(nextOf.has(nameOf('c.example.test'))).toBe(false);
  expect(nextOf.has(nameOf('ns.sub.example.test'))).toBe(false);
});

/** Owners and types of a section, of signatures with what they cover. */
function short(records: readonly Answer[] = []): string[] {
  return records.flatMap((record) => {
    if (record.type === 'OPT') return [];
    const covers = record.type === 'RRSIG' ? `(${record.data.typeCovered})` : '';
    const next = record.type === 'NSEC' ? ` ${record.data.nextDomain} ${record.data.rrtypes.join(' ')}` : '';
    return [`${record.name} ${record.type}${covers}${next}`];
  });
}

describe('what is asked for with signatures', () => {
  const asked = (question: string) => {
    const { answers, authorities } = server.ask(question);
    return { answers: short(answers), authorities: short(authorities) };
  };
  const soa = ['example.test SOA', 'example.test RRSIG(SOA)'];

  test('has them behind each set', () => {
    expect(asked('alias.example.test A')).toEqual({
      answers: [
        'alias.example.test CNAME',
        'alias.example.test RRSIG(CNAME)',
        'www.example.test A',
        'www.example.test A',
        'www.example.test RRSIG(A)',
      ],
      authorities: [],
    });
    expect(asked('flat.example.test A').answers.at(-1)).toBe('flat.example.test RRSIG(A)');
    expect(asked('example.test ANY').answers).toEqual(['example.test HINFO', 'example.test RRSIG(HINFO)']);
    expect(short(server.ask('example.test MX').additionals)).toContain('mail.example.test RRSIG(AAAA)');
    expect(asked('example.test CDS').answers).toEqual(['example.test CDS', 'example.test RRSIG(CDS)']);
  });

  test('shows that a name has no such type, or is none', () => {
    expect(asked('mail.example.test TXT')).toEqual({
      answers: [],
      authorities: [
        ...soa,
        'mail.example.test NSEC nomail.example.test A AAAA RRSIG NSEC',
        'mail.example.test RRSIG(NSEC)',
      ],
    });
    // Only names below it are there.
    expect(asked('b.c.example.test A').authorities.slice(2)).toEqual([
      'alias2.example.test NSEC a.b.c.example.test CNAME RRSIG NSEC',
      'alias2.example.test RRSIG(NSEC)',
    ]);
    expect(
      asked('nowhere.example.test A').authorities.map((text) => text.replace(/ NSEC .*/, ' NSEC')),
    ).toEqual([
      ...soa,
      'nomail.example.test NSEC',
      'nomail.example.test RRSIG(NSEC)',
      'example.test NSEC',
      'example.test RRSIG(NSEC)',
    ]);
    // What an alias that is ours alone has no addresses of.
    expect(asked('flat.example.test AAAA').authorities[2]).toMatch(
      /^flat\.example\.test NSEC \S+ A RRSIG NSEC$/,
    );
  });

  test('shows that a wildcard is the nearest', () => {
    const { answers, authorities } = asked('any.wild.example.test A');
    expect(answers).toEqual(['any.wild.example.test A', 'any.wild.example.test RRSIG(A)']);
    expect(authorities).toEqual([
      expect.stringMatching(/^\*\.wild\.example\.test NSEC x\.ent\.wild\.example\.test /),
      '*.wild.example.test RRSIG(NSEC)',
    ]);
  });

  test('shows whether a delegation is signed, and leaves its name servers', () => {
    expect(asked('host.sub.example.test A').authorities).toEqual([
      'sub.example.test NS',
      'sub.example.test NS',
      expect.stringMatching(/^sub\.example\.test NSEC \S+ NS RRSIG NSEC$/),
      'sub.example.test RRSIG(NSEC)',
    ]);
    expect(asked('host.signed.example.test A').authorities).toEqual([
      'signed.example.test NS',
      'signed.example.test DS',
      'signed.example.test RRSIG(DS)',
    ]);
    expect(asked('sub.example.test DS').authorities[2]).toMatch(
      /^sub\.example\.test NSEC \S+ NS RRSIG NSEC$/,
    );
  });

  test('tells nothing of what is delegated but that it is', () => {
    expect(asked('cut.odd.test DS').authorities[2]).toBe('cut.odd.test NSEC odd.test NS RRSIG NSEC');
    expect(short(server.ask('odd.test MX').additionals)).toEqual(['mx.cut.odd.test A']);
  });

  test('is as before of what is not signed, and without being asked for', () => {
    expect(asked('www.other.test A')).toEqual({ answers: ['www.other.test A'], authorities: [] });
    expect(asked('nowhere.other.test A').authorities).toEqual(['other.test SOA']);
    const { ask } = serveZones([zoneDataOf('example.test', ZONES['example.test'] ?? [], [])]);
    expect(short(ask('host.signed.example.test A').authorities)).toEqual(['signed.example.test NS']);
    expect(ask('mail.example.test NSEC').answers).toEqual([]);
    for (const question of ['mail.example.test A', 'nowhere.example.test A', 'any.wild.example.test A']) {
      const { answers, authorities, additionals } = server.ask(question, false);
      const text = short([...(answers ?? []), ...(authorities ?? []), ...(additionals ?? [])]).join();
      expect(text).not.toMatch(/RRSIG|NSEC/);
    }
    expect(short(server.ask('mail.example.test NSEC', false).answers)).toHaveLength(2);
  });

  test('is not sent in part by UDP', () => {
    const records = Array.from({ length: 10 }, (_, i) => `many 300 TXT ${i}${'x'.repeat(98)}`);
    const { responder } = serveZones([zoneDataOf('example.test', records, [KEY])]);
    const flagsOf = (dnssecOk: boolean) => {
      const packet = packetOf('many.example.test TXT', {
        edns: { size: 4096, flags: dnssecOk ? DNSSEC_OK : 0 },
      });
      const answer = responder.respond(packet, { transport: 'udp', address: '127.0.0.1' });
      return [answer?.readUInt16BE(2), answer?.readUInt16BE(6)];
    };
    expect(flagsOf(false)).toEqual([0x8400, 10]);
    expect(flagsOf(true)).toEqual([0x8600, 0]);
  });
});

describe('keys', () => {
  const [OLD, NEW] = [newKey('active'), newKey('incoming')];
  const tagsOf = (answers: readonly Answer[] = []) =>
    answers.flatMap((record) => (record.type === 'RRSIG' ? [record.data.keyTag] : [])).sort();
  const both = [keyTagOf(OLD.publicKey), keyTagOf(NEW.publicKey)].sort();

  test.each([
    ['announced', OLD, NEW, OLD, 2],
    ['replaced', { ...OLD, state: 'retiring' as const }, { ...NEW, state: 'active' as const }, NEW, 1],
  ])('all sign the keys, the active one all else: one is %s', (_, one, other, active, named) => {
    const { ask } = serveZones([zoneDataOf('example.test', ['www 300 A 192.0.2.1'], [one, other])]);
    expect(tagsOf(ask('example.test DNSKEY').answers)).toEqual(both);
    expect(tagsOf(ask('www.example.test A').answers)).toEqual([keyTagOf(active.publicKey)]);
    expect(ask('example.test CDS').answers?.filter(({ type }) => type !== 'RRSIG')).toHaveLength(named);
    expect(tagsOf(ask('example.test CDS').answers)).toEqual(both);
  });

  test('have the tag and the digest of RFC 6605 §6.1', () => {
    const publicKey =
      'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==';
    expect(delegationText('example.net', publicKey)).toBe(
      '55648 13 2 B4C8C1FE2E7477127B27115656AD6256F424625BF5C1E2770CE6D6E37DF61D17',
    );
  });

  test('sign for two weeks from an hour before, and anew after six days at the earliest', () => {
    let now = NOW;
    const { ask, zones } = serveZones(
      [zoneDataOf('example.test', ['www 300 A 192.0.2.1'], [KEY])],
      () => now,
    );
    const signature = () => {
      const [record] = (ask('www.example.test A').answers ?? []).filter(({ type }) => type === 'RRSIG');
      return record?.type === 'RRSIG' ? record.data : undefined;
    };
    const first = signature();
    expect(first?.inception).toBe(NOW / 1000 - 3600);
    expect(first?.expiration).toBe(NOW / 1000 + 14 * DAY);
    now += 5 * DAY * 1000;
    zones.renewSignatures(now);
    expect(signature()).toEqual(first);
    now += 2 * DAY * 1000;
    zones.renewSignatures(now);
    expect(signature()?.expiration).toBe(now / 1000 + 14 * DAY);
  });
});
