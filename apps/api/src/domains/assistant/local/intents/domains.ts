import type { DnsZone, NameServer } from '@nephos/contracts';
import { findNamed } from '../find-named.ts';
import type { Answer, Intent, LocalTurn } from '../intent.ts';
import { block, bullets, code, numbered, paragraphs } from '../markdown.ts';
import { type Reading, read } from '../read.ts';

interface Found {
  server: NameServer;
  zones: readonly DnsZone[];
  zone: DnsZone | undefined;
}

async function* look(turn: LocalTurn): Reading<Found> {
  const server = yield* read(turn, ['dns', 'nameServer'], {});
  const zones = yield* read(turn, ['dns', 'zones'], {});
  const named = findNamed(turn.asked, zones, ({ domain }) => [domain]);
  return { server, zones, zone: named ?? (zones.length === 1 ? zones[0] : undefined) };
}

/** Asks our own server; a wildcard address is no place to ask. */
function dig({ host, port }: NameServer, name: string, type: string): string {
  const at = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `dig @${at} -p ${port} ${name} ${type}`;
}

function proof({ domain, verification }: DnsZone): string {
  if (!verification) return '';
  return paragraphs(
    `${code(domain)} is **pending**: nothing of it is served until you prove that it is yours. At whoever serves it now, add`,
    block('text', `${verification.name}  TXT  "${verification.value}"`),
    'and press **Verify** on **DNS**.',
  );
}

export const pointDomain: Intent = {
  name: 'point-domain',
  example: 'Which records do I need for my domain?',
  scopes: ['general'],
  about: ['domain'],
  matches: [
    ['point', 'domain'],
    ['list', 'point', 'domain'],
    ['how', 'domain'],
    ['change', 'domain', 'how'],
    ['point', 'domain', 'how'],
  ],
  unless: ['fail', 'mobile'],
  async *answer(turn): Answer {
    const { server, zones, zone } = yield* look(turn);
    const domain = zone?.domain ?? 'example.com';
    return paragraphs(
      zones.length === 0 ? 'You have no records yet; in the place of `example.com` goes your domain.' : '',
      numbered([
        `On **DNS**, add what the domain shall answer, for example an A record ${code('@')} with your server’s address and a CNAME ${code('www')} to ${code(domain)}.`,
        `Check it here before anybody depends on it: ${code(dig(server, domain, 'A'))}`,
        `At your registrar, set the name servers of ${code(domain)} to ${server.nameservers.map(code).join(' and ')}.`,
        `After the old NS records’ TTL, the world follows: ${code(`dig ${domain} NS`)}`,
      ]),
      zone ? proof(zone) : '',
      server.running ? '' : `The name server does not run. ${server.reason}`,
      server.running && server.port !== 53
        ? `It listens on port ${server.port}; the world asks port 53, so that has to lead here.`
        : '',
    );
  },
};

export const silentDomain: Intent = {
  name: 'silent-domain',
  example: 'Why does my domain not answer?',
  scopes: ['general'],
  about: ['domain'],
  matches: [
    ['domain', 'fail'],
    ['domain', 'why'],
    ['domain', 'resolve', 'not'],
    ['domain', 'why', 'not'],
    ['domain', 'status'],
    ['domain', 'why', 'resolve', 'not'],
    ['domain', 'resolve'],
  ],
  async *answer(turn): Answer {
    const { server, zones, zone } = yield* look(turn);
    const asked = turn.question.toLowerCase().match(/\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b/)?.[0];
    if (zones.length === 0) {
      return `You have no records, so the name server has nothing to answer${asked ? ` for ${code(asked)}` : ''}. Add one with **Add Record** on **DNS**.`;
    }
    if (!server.running) return `The name server does not run, so no domain answers. ${server.reason}`;
    if (!zone) {
      return paragraphs(
        asked ? `${code(asked)} is not among your domains:` : 'Which one?',
        bullets(zones.map(({ domain, status }) => `${code(domain)} (${status})`)),
      );
    }
    if (zone.verification) return proof(zone);
    return paragraphs(
      `${code(zone.domain)} is served by this server.`,
      yield* ownAnswer(turn, zone),
      elsewhere(server, zone),
    );
  },
};

/** What our own name server says to the newest record. */
async function* ownAnswer(turn: LocalTurn, { domain }: DnsZone): Answer {
  const [record] = yield* read(turn, ['dns', 'list'], { domain, limit: 1 });
  if (!record) return '';
  const { served, responseCode, answers, reason } = yield* read(turn, ['dns', 'answer'], { id: record.id });
  return served
    ? paragraphs('I asked it just now:', block('text', answers.join('\n')))
    : `I asked it just now for ${code(`${record.name} ${record.recordType}`)}, and it said ${responseCode || 'nothing'}. ${reason}`.trim();
}

function elsewhere(server: NameServer, { domain }: DnsZone): string {
  return paragraphs(
    'If the world does not see that, the domain is not delegated to it. Look what the world is told:',
    block('sh', `dig ${domain} NS +short\n${dig(server, domain, 'SOA')}\ndig ${domain} +trace`),
    `The first has to say ${server.nameservers.map(code).join(' and ')}; if not, set them at your registrar. An answer that was asked for before stays in caches for its TTL.`,
  );
}
