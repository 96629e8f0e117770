import { RECORD_TYPES, type RecordType, readValue } from '@nephos/contracts';
import { decode } from 'dns-packet';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerLine } from '../../src/domains/dns/server/answer-line.ts';
import { HEADER_BYTES } from '../../src/domains/dns/server/protocol.ts';
import { encodeData } from '../../src/domains/dns/server/record-data.ts';
import { zoneFile } from '../../src/domains/dns/server/zone-file.ts';
import { readZoneFile } from '../../src/domains/dns/zone-files/read-zone-file.ts';

const DOMAIN = 'example.test';
const TTL = 300;

const uint16 = fc.nat(65_535);
const host = fc.constantFrom('example.test', 'www.example.test', '_a.b-c.other.test', 'bücher.example', '.');
const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();
/** What people may write in quotes: much of it is refused. */
const text = fc.string({
  unit: fc.constantFrom(...'az09=;,()"\\ /{}?.-+#$@ü'),
  maxLength: 12,
});
const words = (...parts: fc.Arbitrary<string | number>[]) =>
  fc.tuple(...parts).map((values) => values.join(' '));
const list = (item: fc.Arbitrary<string>) =>
  fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
const digest = (octets: number) =>
  fc.uint8Array({ minLength: octets, maxLength: octets }).map((array) => Buffer.from(array).toString('hex'));
const inQuotes = (value: fc.Arbitrary<string>) => value.map((inner) => `"${inner}"`);

const protocol = fc.oneof(text, fc.constantFrom('h2', 'dohpath', 'port'));
const path = fc.tuple(text, text).map(([before, after]) => `/${before}{?dns}${after}`);
const key = fc.constantFrom('alpn', 'port', 'ipv4hint', 'dohpath', 'key7', 'ohttp', 'key8');
const parameters = fc
  .record(
    {
      mandatory: list(key),
      alpn: inQuotes(list(protocol)),
      'no-default-alpn': fc.constant(''),
      port: uint16,
      ipv4hint: list(ipv4),
      ech: fc.base64String({ minLength: 4, maxLength: 12 }),
      ipv6hint: list(ipv6),
      dohpath: inQuotes(path),
      ohttp: fc.constant(''),
    },
    { requiredKeys: [] },
  )
  .map((given) => Object.entries(given).map(([name, value]) => (value === '' ? name : `${name}=${value}`)))
  .map((given) => given.join(' '));
const binding = words(uint16, host, parameters).map((value) => value.trim());

/** Values as people write them, by type. */
const WRITTEN: Record<RecordType, fc.Arbitrary<string>> = {
  A: ipv4,
  AAAA: ipv6,
  CNAME: host,
  MX: words(uint16, host),
  TXT: fc.oneof(text, inQuotes(text)),
  NS: host,
  CAA: words(
    fc.constantFrom(0, 128),
    fc.constantFrom('issue', 'issuewild', 'iodef'),
    inQuotes(
      fc.oneof(
        text,
        text.map((after) => `ca.example; a=${after}`),
        text.map((after) => `https://ca.example/${after}`),
      ),
    ),
  ),
  SRV: words(uint16, uint16, uint16, host),
  PTR: host,
  TLSA: fc.oneof(
    words(fc.nat(3), fc.nat(1), fc.constant(1), digest(32)),
    words(fc.nat(3), fc.nat(1), fc.constant(0), digest(40)),
  ),
  SSHFP: words(fc.constantFrom(1, 4), fc.constant(2), digest(32)),
  HTTPS: binding,
  SVCB: binding,
  DS: words(uint16, fc.constant(13), fc.constant(2), digest(32)),
  ALIAS: host,
};

/** What is written, and the canonical form of it; only what is accepted. */
function accepted(type: RecordType): fc.Arbitrary<string> {
  return WRITTEN[type]
    .map((written) => readValue(type, written))
    .filter((reading) => reading.ok)
    .map(({ text: canonical }) => canonical);
}

/** The value of a record's octets, as whoever asks for it sees it. */
function servedValue(type: RecordType, value: string): unknown {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(0x8000, 2);
  header.writeUInt16BE(1, 6);
  const message = Buffer.concat([header, Buffer.of(0), encodeData({ type, value, ttl: TTL })]);
  const [answer] = decode(message).answers ?? [];
  const line = answer && answerLine(answer);
  return readValue(type, line?.replace(new RegExp(`^\\. ${TTL} IN ${type} `), '') ?? '');
}

test.each(RECORD_TYPES.filter((type) => type !== 'ALIAS'))(
  'every %s value that is accepted is served as it is',
  (type) => {
    fc.assert(
      fc.property(accepted(type), (value) => {
        expect(servedValue(type, value)).toEqual({ ok: true, text: value });
      }),
      { numRuns: 500 },
    );
  },
);

test.each(RECORD_TYPES)('every %s value that is accepted is exported and imported as it is', (type) => {
  fc.assert(
    fc.property(accepted(type), (value) => {
      const record = { owner: `a.${DOMAIN}`, type, value, ttl: TTL };
      const { records, refused } = readZoneFile(
        zoneFile({ domain: DOMAIN, serial: 1, records: [record] }, []),
        DOMAIN,
      );
      expect(refused).toEqual([]);
      expect(records).toMatchObject([{ name: 'a', recordType: type, value, ttl: TTL }]);
      expect(records).toHaveLength(1);
    }),
    { numRuns: 500 },
  );
});
