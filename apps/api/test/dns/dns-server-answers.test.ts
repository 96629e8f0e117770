import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CASES, type Case, ZONES } from './dns-cases.ts';
import { createDnsWorld, type DnsWorld, recordText } from './dns-world.ts';

let world: DnsWorld;

beforeAll(async () => {
  world = await createDnsWorld();
  for (const [domain, records] of Object.entries(ZONES)) {
    await world.served(domain, await world.putZone(domain, records));
  }
});
afterAll(() => world.close());

/** A name of the table in full, without final dot. */
function whole(name: string): string {
  if (name === '@') return 'example.test';
  if (name === '.') return '.';
  return name.endsWith('.') ? name.slice(0, -1) : `${name}.example.test`;
}

/** A record of the table in full; `=` is the name asked, and of SOA records only the owner and TTL are told. */
function wholeRecord(text: string, asked: string): string {
  const [name = '', ttl, type, ...data] = text.split(' ');
  if (['CNAME', 'NS', 'MX', 'SRV'].includes(type ?? '')) data.push(whole(data.pop() ?? ''));
  return [name === '=' ? asked : whole(name), ttl, type, ...data].join(' ');
}

function questionsOf({ questions }: Case): { name: string; type: string }[] {
  const [names = '', types = ''] = questions.split(' ');
  return names.split(',').flatMap((name) => types.split(',').map((type) => ({ name: whole(name), type })));
}

const TABLE = CASES.flatMap((entry) =>
  questionsOf(entry).map((question) => ({
    ...entry,
    ...question,
    title: `RFC ${entry.rfc}: ${question.name} ${question.type}`,
  })),
);

test('the table has 200 cases', () => {
  expect(new Set(TABLE.map(({ name, type }) => `${name} ${type}`)).size).toBeGreaterThanOrEqual(200);
});

describe.each([
  ['without EDNS, for the first time', undefined],
  ['with EDNS, from memory', { size: 1232 }],
] as const)('%s', (_how, edns) => {
  test.each(TABLE)('$title', async ({ name, type, status, answer = [], authority = [], additional = [] }) => {
    const { flag_aa, flag_ra, flag_tc, ...packet } = await world.query(`${name} ${type}`, { edns });
    const records = (section: readonly Parameters<typeof recordText>[0][] = []) =>
      section
        .map(recordText)
        .filter((text) => text !== 'OPT')
        .map((text) => text.replace(/ SOA .*/, ' SOA'));
    // The library's types leave it out.
    const { rcode } = packet as { rcode?: string };
    expect({
      status: `${rcode}${flag_aa ? ' aa' : ''}`,
      answer: records(packet.answers),
      authority: records(packet.authorities),
      additional: records(packet.additionals),
    }).toEqual({
      status,
      answer: answer.map((text) => wholeRecord(text, name)),
      authority: authority.map((text) => wholeRecord(text, name)),
      additional: additional.map((text) => wholeRecord(text, name)),
    });
    expect([flag_ra, flag_tc]).toEqual([false, false]);
    expect(packet.additionals?.filter((record) => record.type === 'OPT').length).toBe(edns ? 1 : 0);
  });
});
