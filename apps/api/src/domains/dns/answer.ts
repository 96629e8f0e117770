import { setTimeout as pause } from 'node:timers/promises';
import { type DnsAnswer, type DnsRecord, readValue, wholeName } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { findRecord } from './records.ts';
import type { NameServer, ServedAnswer } from './server/name-server.ts';
import { isPendingDomain } from './zone-list.ts';

/** Milliseconds in which a change reaches the name server, and between two questions until then. */
const ARRIVAL = 1000;
const BETWEEN = 25;

/** Owner, TTL, type and value of a line as `dig` prints it. */
const LINE = /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.+)$/;

/** Asks our own name server for a record, again for a second where the change is still on its way. Throws 404. */
export async function askForRecord(ctx: UserContext, nameServer: NameServer, id: string): Promise<DnsAnswer> {
  const record = await findRecord(ctx.db, ctx.ownerId, id);
  if (!record) throw notFound();
  const off = nameServer.unavailable();
  if (off !== null) return unasked(off);
  if (await isPendingDomain(ctx, record.domain)) {
    return unasked(`Verify that you own ${record.domain} first.`);
  }
  for (const began = performance.now(); ; await pause(BETWEEN)) {
    const answer = await askFor(nameServer, record);
    const served = holds(answer, record);
    if (served || answer.responseCode === 'TIMEOUT' || performance.now() - began > ARRIVAL) {
      return { ...answer, served, reason: served ? '' : reasonOf(answer) };
    }
  }
}

/** Of an alias that is ours alone, the addresses that stand for it. */
async function askFor(
  nameServer: NameServer,
  { name, domain, recordType }: DnsRecord,
): Promise<ServedAnswer> {
  const owner = wholeName(name, domain);
  if (recordType !== 'ALIAS') return nameServer.ask(owner, recordType);
  const answer = await nameServer.ask(owner, 'A');
  return answer.responseCode === 'NOERROR' && answer.answers.length === 0
    ? nameServer.ask(owner, 'AAAA')
    : answer;
}

function unasked(reason: string): DnsAnswer {
  return { served: false, milliseconds: 0, responseCode: '', answers: [], reason };
}

function reasonOf({ responseCode }: ServedAnswer): string {
  return responseCode === 'TIMEOUT'
    ? "The name server didn't respond in time."
    : "The name server's answer doesn't include this record.";
}

/** Whether the record is among the answers: both are compared in their canonical form. */
function holds({ answers }: ServedAnswer, record: DnsRecord): boolean {
  return answers.some((line) => {
    const [, owner, ttl, type, data = ''] = LINE.exec(line) ?? [];
    if (owner !== `${wholeName(record.name, record.domain)}.`) return false;
    // How long addresses stand for an alias depends on their own records, too.
    if (record.recordType === 'ALIAS') return type === 'A' || type === 'AAAA';
    if (type !== record.recordType || Number(ttl) !== record.ttl) return false;
    const reading = readValue(record.recordType, data);
    return reading.ok && reading.text === record.value;
  });
}
