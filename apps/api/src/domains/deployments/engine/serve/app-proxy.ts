import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { peerOf } from '../../../../http/client-address.ts';
import { trustOf } from '../../../../http/trusted-proxy.ts';
import { createVisitCounter } from '../../../../http/visit-limit.ts';
import type { EngineDeps } from '../engine-deps.ts';
import { refuseUpgrade, sendPage } from './app-pages.ts';
import { hostName } from './forward-request.ts';

/** Visits to apps that are not there, of one address in a minute. */
const ABSENT_VISITS = 300;

export interface AppProxy {
  ownsHost(host: string | undefined): boolean;
  serve(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Serves requests for `<slug>.<appsDomain>` by the app of that slug, or by a page that says why there is none. */
export function createAppProxy(
  deps: Pick<EngineDeps, 'settings' | 'routes' | 'egress' | 'live' | 'log'>,
): AppProxy {
  const suffix = `.${deps.settings.appsDomain}`;
  const consoleHost = deps.settings.publicUrl.hostname;
  const isTrusted = trustOf(deps.settings.trustProxy);
  const countVisit = createVisitCounter(deps.settings, ABSENT_VISITS);
  const slugOf = (request: IncomingMessage) => hostName(request).slice(0, -suffix.length);
  return {
    ownsHost(host) {
      const name = (host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
      return name.endsWith(suffix) && name !== consoleHost;
    },
    serve(request, response) {
      const slug = slugOf(request);
      const app = deps.routes.bySlug(slug);
      if (app) {
        deps.egress.count(app.projectId, request.socket, response);
        return app.serve(request, response);
      }
      // Only these: what an app is asked is its own business.
      if (countVisit(peerOf(request, isTrusted)) > 0) return sendPage(request, response, 'crowded');
      deps.live
        .absence(slug)
        .then((reason) => sendPage(request, response, reason))
        .catch((error) => {
          deps.log.error({ err: error }, 'no page for an absent app');
          sendPage(request, response, 'starting');
        });
    },
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const app = deps.routes.bySlug(slugOf(request));
      if (!app) return refuseUpgrade(socket, 404);
      deps.egress.count(app.projectId, socket, socket);
      app.upgrade(request, socket, head);
    },
  };
}
