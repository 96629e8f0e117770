import { createCookies } from '../../src/domains/dns/server/cookies.ts';
import { createResponder, type Responder } from '../../src/domains/dns/server/responder.ts';
import { createSignedAnswers } from '../../src/domains/dns/server/transfer/signed-answers.ts';
import {
  createTransferSources,
  type TransferSources,
} from '../../src/domains/dns/server/transfer/transfer-sources.ts';
import type { ZoneSet } from '../../src/domains/dns/server/zone-set.ts';

interface Options {
  /** Milliseconds. */
  idleTime?: number;
  sources?: TransferSources;
}

/** What answers from `zones`, without a server. Its errors are thrown. */
export function responderFor(
  zones: ZoneSet,
  { idleTime = 1000, sources = createTransferSources(zones) }: Options = {},
): Responder {
  const onAnswer = () => {};
  return createResponder({
    ...{ zones, onAnswer, idleTime, serverId: Buffer.from('id') },
    cookies: createCookies(() => Buffer.alloc(16)),
    signed: createSignedAnswers({ zones, sources, onAnswer }),
    onError: (error) => {
      throw error;
    },
  });
}
