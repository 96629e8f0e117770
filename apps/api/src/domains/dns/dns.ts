import type { contract } from '@nephos/contracts';
import { Counter } from 'prom-client';
import type { DueLoop } from '../../platform/due-work.ts';
import { type EngineCheck, type Finding, healthy, off, unhealthy } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import { boundLookUps, createPublicDns, type PublicDns } from '../../platform/public-dns.ts';
import type { Domain } from '../domain.ts';
import { askForRecord } from './answer.ts';
import { editZone } from './changes/edit-zone.ts';
import { listChanges } from './changes/list-changes.ts';
import { revertChange } from './changes/revert-change.ts';
import { createNsLookup, type LookUpNs } from './ns-lookup.ts';
import { listRecords, listZoneRecords } from './records.ts';
import { raiseOldSerials } from './secondaries/due-secondaries.ts';
import { addSecondary, removeSecondary, renewTransferKey } from './secondaries/edit-secondaries.ts';
import { listSecondaries } from './secondaries/list-secondaries.ts';
import { createSecondariesCare } from './secondaries/look-after-secondaries.ts';
import { createNameServer } from './server/create-name-server.ts';
import type { NameServer } from './server/name-server.ts';
import { whereNameServerIs } from './server/name-servers.ts';
import { addRecord, removeRecord, updateRecord } from './service.ts';
import { createDsLookup, type LookUpDs, type LookUpDsFor } from './signing/ds-lookup.ts';
import { lookAtParent } from './signing/parent-delegation.ts';
import { cancelRoll, finishRoll, rollKey } from './signing/roll-key.ts';
import { sweepZoneKeys } from './signing/sweep-keys.ts';
import { showSigning, signZone, unsignZone } from './signing/zone-signing.ts';
import { createTxtLookup, type LookUpTxt, type LookUpTxtFor } from './txt-lookup.ts';
import { exportZone } from './zone-files/export-zone.ts';
import { importZone, showImport } from './zone-files/import-zone.ts';
import { listZones, verifyZone } from './zone-list.ts';
import { lookAtProofs } from './zone-proofs.ts';
import { sweepPastSerials } from './zone-serials.ts';

/** What the domain was made with, and the servers that it runs. */
export interface DnsParts extends Pick<Platform, 'settings' | 'secrets'> {
  nameServer: NameServer;
  secondariesCare: DueLoop;
  lookUpTxt: LookUpTxtFor;
  lookUpDs: LookUpDsFor;
  /** Those of the background, which tell what could not be asked. */
  lookUpProof: PublicDns['txt'];
  lookUpNs: LookUpNs;
}

/** What a test puts in the place of the internet. */
interface DnsOverrides {
  lookUpTxt?: LookUpTxt | undefined;
  lookUpDs?: LookUpDs | undefined;
  lookUpNs?: LookUpNs | undefined;
  publicDns?: PublicDns | undefined;
}

type Platformed = Pick<Platform, 'settings' | 'db' | 'notifications' | 'secrets' | 'log'>;

/** Zones, their records, and the name server that answers for them. */
export function createDns(
  platform: Platformed,
  {
    lookUpTxt = createTxtLookup(),
    lookUpDs = createDsLookup(),
    lookUpNs = createNsLookup(),
    publicDns = createPublicDns(),
  }: DnsOverrides = {},
): Domain<typeof contract.dns> & DnsParts {
  const { settings, secrets, db, log } = platform;
  const nameServer = createNameServer(platform);
  const secondariesCare = createSecondariesCare(platform);
  const parts: DnsParts = {
    ...{ settings, secrets, nameServer, secondariesCare },
    lookUpTxt: boundLookUps(lookUpTxt),
    lookUpDs: boundLookUps(lookUpDs),
    lookUpProof: publicDns.txt,
    lookUpNs,
  };
  return {
    ...parts,
    handlers: {
      list: ({ ctx, input }) => listRecords(ctx, input),
      create: ({ ctx, input, once }) => addRecord(ctx, parts, input, once),
      update: ({ ctx, input }) => updateRecord(ctx, settings, input),
      remove: ({ ctx, input }) => removeRecord(ctx, input.id),
      answer: ({ ctx, input }) => askForRecord(ctx, nameServer, input.id),
      zones: ({ ctx }) => listZones(ctx, parts),
      verify: ({ ctx, input, once }) => verifyZone(ctx, parts, input, once),
      zoneFile: ({ ctx, input }) => exportZone(ctx, settings, input),
      planImport: ({ ctx, input }) => showImport(ctx, settings, input),
      importZone: ({ ctx, input, once }) => importZone(ctx, parts, input, once),
      zoneRecords: ({ ctx, input }) => listZoneRecords(ctx, input.domain),
      edit: ({ ctx, input, once }) => editZone(ctx, parts, input, once),
      changes: ({ ctx, input }) => listChanges(ctx, input),
      revertChange: ({ ctx, input, once }) => revertChange(ctx, parts, input.id, once),
      signing: ({ ctx, input }) => showSigning(ctx, input),
      parentDelegation: ({ ctx, input }) => lookAtParent(ctx, parts, input),
      sign: ({ ctx, input }) => signZone(ctx, parts, input),
      unsign: ({ ctx, input, once }) => unsignZone(ctx, parts, input, once),
      rollKey: ({ ctx, input }) => rollKey(ctx, parts, input),
      cancelRoll: ({ ctx, input, once }) => cancelRoll(ctx, parts, input, once),
      finishRoll: ({ ctx, input, once }) => finishRoll(ctx, parts, input, once),
      secondaries: ({ ctx, input }) => listSecondaries(ctx, input.domain),
      addSecondary: ({ ctx, input }) => addSecondary(ctx, settings, input),
      removeSecondary: ({ ctx, input }) => removeSecondary(ctx, input),
      renewTransferKey: ({ ctx, input }) => renewTransferKey(ctx, secrets, input.domain),
      nameServer: () => whereNameServerIs(parts),
    },
    sweeps: {
      dnsSerials: () => sweepPastSerials(db),
      dnsKeys: () => sweepZoneKeys(db),
      dnsSecondaries: () => raiseOldSerials(db),
      dnsProofs: () => lookAtProofs(db, parts, log),
    },
    engines: () => [nameServerCheck(parts)],
    metrics(registry) {
      new Counter({
        name: 'nephos_dns_answers_total',
        help: 'Responses of the name server',
        labelNames: ['transport', 'rcode'],
        registers: [registry],
        collect() {
          this.reset();
          for (const { transport, rcode, count } of nameServer.answered()) {
            this.inc({ transport, rcode }, count);
          }
        },
      });
    },
    async start() {
      await nameServer.start();
      secondariesCare.start();
    },
    async stop() {
      await secondariesCare.stop();
      await nameServer.stop();
    },
  };
}

function nameServerCheck(parts: Pick<DnsParts, 'settings' | 'nameServer'>): EngineCheck {
  const { dnsVerifyOwnership } = parts.settings;
  return {
    id: 'dns',
    name: 'Name server',
    running: `Built in, ${dnsVerifyOwnership ? 'for verified domains' : 'for any domain, without verification'}`,
    settings: [
      'DNS_PORT',
      'DNS_HOST',
      'DNS_NAMESERVERS',
      'DNS_VERIFY_OWNERSHIP',
      'ALLOW_PRIVATE_SECONDARIES',
    ],
    look: () => askNameServer(parts),
  };
}

/** Any answer will do, also that it knows nothing of the name. */
async function askNameServer({
  nameServer,
  settings,
}: Pick<DnsParts, 'settings' | 'nameServer'>): Promise<Finding> {
  const reason = nameServer.unavailable();
  if (reason !== null) return settings.dnsPort === 0 ? off(reason) : unhealthy(reason);
  const { responseCode, milliseconds } = await nameServer.ask('nephos.invalid', 'A');
  if (responseCode === 'TIMEOUT') return unhealthy(`Not responding on port ${nameServer.port()}.`);
  return healthy(`Responds on port ${nameServer.port()} in ${Math.max(Math.round(milliseconds), 1)} ms.`);
}
