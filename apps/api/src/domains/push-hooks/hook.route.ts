import { Id, pushHookPath } from '@nephos/contracts';
import type { FastifyInstance } from 'fastify';
import { unauthorized, unprocessable } from '../../core/errors.ts';
import { clientAt } from '../../platform/client-address.ts';
import { countCall } from '../../platform/rate-limit.ts';
import type { PushHooksParts } from './push-hooks.ts';
import { receivePush } from './receive-push.ts';

/** Bytes of a delivery. */
const BODY_LIMIT = 1024 * 1024;
/** Deliveries that one address may send, to whichever projects. */
const PER_MINUTE = 600;

/**
 * `POST /api/hooks/<project>`: a Git host, or `curl`, tells of a push. Nobody is signed in; the secret, or a signature by
 * it over the bytes as they came, is the only credential. Answers 200 for what was deployed or needed not be, 422 for
 * what could not be.
 */
export function addHookRoute(app: FastifyInstance, parts: PushHooksParts): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  );
  app.post<{ Params: { id: string } }>(
    pushHookPath(':id'),
    { config: { anyBody: true, anyOrigin: true }, bodyLimit: BODY_LIMIT },
    async ({ ip, params, headers, body: sent }) => {
      await countCall(parts, { key: `push-hooks:${clientAt(ip)}`, calls: PER_MINUTE, seconds: 60 });
      const id = Id.safeParse(params.id);
      if (!id.success) throw unauthorized();
      const body = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0);
      const received = await receivePush(parts, id.data, { headers, body });
      if (received.result === 'refused') throw unprocessable('NOT_DEPLOYED', received.reason);
      return received;
    },
  );
}
