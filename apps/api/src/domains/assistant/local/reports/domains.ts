import type { DnsZone, NameServer } from '@nephos/contracts';
import { block, bullets, code, numbered, paragraphs } from './markdown.ts';
import { namedIn } from './question.ts';
import { type Reading, read } from './read.ts';
import type { Answer, LocalTurn, Topic } from './report.ts';

const DOMAIN = 'domain*|dns|record*|zone*|nameserver*|cname|subdomain*|delegat*';

export const pointDomain: Topic = {
  name: 'point-domain',
  example: 'Which records do I need for my domain?',
  scopes: ['general'],
  keywords: [
    `how|need|point*|set|use|delegat*|registrar|verify ${DOMAIN}`,
    'name servers|server',
    'nameserver*',
  ],
  async *answer(turn) {
    const { server, zones, zone } = yield* look(turn);
    const domain = zone?.domain ?? 'example.com';
    return paragraphs(
      zones.length === 0 ? 'You have no DNS records yet. Replace `example.com` with your domain.' : '',
      numbered([
        `On **DNS**, choose **Add Record**. Add for example an A record ${code('@')} with the IP address of your server and a CNAME record ${code('www')} that points to ${code(domain)}.`,
        `Test the answer of this server first: ${code(dig(server, domain, 'A'))}`,
        `At your registrar, set the name servers of ${code(domain)} to ${server.nameservers.map(code).join(' and ')}.`,
        `Wait until the TTL of the old NS records has expired, then check: ${code(`dig ${domain} NS`)}`,
      ]),
      zone ? proof(zone) : '',
      server.running ? '' : `The name server is not running. ${server.reason}`,
      server.running && server.port !== 53
        ? `The name server listens on port ${server.port}. DNS uses port 53, so forward port 53 to it.`
        : '',
    );
  },
};

export const silentDomain: Topic = {
  name: 'silent-domain',
  example: "Why isn't my domain resolving?",
  scopes: ['general'],
  keywords: [`why|not|doesnt|isnt|wont|cant|nxdomain|servfail|pending|broken|down ${DOMAIN}`],
  async *answer(turn) {
    const { server, zones, zone } = yield* look(turn);
    if (zones.length === 0) {
      return 'You have no DNS records yet. Add one with **Add Record** on **DNS**.';
    }
    if (!server.running) return `The name server is not running, so no domain resolves. ${server.reason}`;
    if (!zone) {
      return paragraphs(
        'Which domain?',
        bullets(zones.map(({ domain, status }) => `${code(domain)} (${status})`)),
      );
    }
    if (zone.status === 'pending') return proof(zone);
    return paragraphs(
      `${code(zone.domain)} is served by this server.`,
      yield* ownAnswer(turn, zone),
      'If it doesn’t resolve elsewhere, the domain is not delegated to this server. Check the delegation:',
      block(
        'sh',
        `dig ${zone.domain} NS +short\n${dig(server, zone.domain, 'SOA')}\ndig ${zone.domain} +trace`,
      ),
      `The first command should print ${server.nameservers.map(code).join(' and ')}. If it doesn’t, set these name servers at your registrar. Old answers stay cached until their TTL expires.`,
    );
  },
};

interface Found {
  server: NameServer;
  zones: readonly DnsZone[];
  /** The one that is named, or the only one. */
  zone: DnsZone | undefined;
}

async function* look(turn: LocalTurn): Reading<Found> {
  const server = yield* read(turn, ['dns', 'nameServer'], {});
  const zones = yield* read(turn, ['dns', 'zones'], {});
  const named = namedIn(turn.words, zones, ({ domain }) => [domain]);
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
    `${code(domain)} is **pending**: it is not served until you verify that you own it. At its current DNS provider, add this TXT record:`,
    block('text', `${verification.name}  TXT  "${verification.value}"`),
    'Then choose **Verify** on **DNS**.',
  );
}

/** What our own name server says to the newest record. */
async function* ownAnswer(turn: LocalTurn, { domain }: DnsZone): Answer {
  const [record] = yield* read(turn, ['dns', 'list'], { domain, limit: 1 });
  if (!record) return '';
  const { served, responseCode, answers, reason } = yield* read(turn, ['dns', 'answer'], { id: record.id });
  return served
    ? paragraphs('It answers now:', block('text', answers.join('\n')))
    : `I just queried ${code(`${record.name} ${record.recordType}`)}. The answer: ${responseCode || 'none'}. ${reason}`.trim();
}
