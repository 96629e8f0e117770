import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { trustOf } from '../../../../http/trusted-proxy.ts';
import { createVisitCounter } from '../../../../http/visit-limit.ts';
import { peerOf } from '../../../../platform/client-address.ts';
import type { AppFigures } from '../../../observability/app-figures.ts';
import { refuseUpgrade, sendPage } from './app-pages.ts';
import type { Egress } from './egress.ts';
import { hostName } from './forward-request.ts';
import { keepConnection } from './keep-alive.ts';
import type { ServeParts } from './process-app.ts';

/** Visits to apps that are not there, of one address in a minute. */
const ABSENT_VISITS = 300;

export interface AppProxy {
  ownsHost(host: string | undefined): boolean;
  serve(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Serves requests for `<slug>.<appsDomain>` by the app of that slug, or by a page that says why there is none. */
export function createAppProxy(
  parts: Pick<ServeParts, 'settings' | 'routes' | 'live' | 'log'> & {
    egress: Egress;
    figures: AppFigures;
    /** Whether all apps that are there have routes. */
    isRouted: () => boolean;
  },
): AppProxy {
  const suffix = `.${parts.settings.appsDomain}`;
  const consoleHost = parts.settings.publicUrl.hostname;
  const isTrusted = trustOf(parts.settings.trustProxy);
  const countVisit = createVisitCounter(parts.settings, ABSENT_VISITS);
  const slugOf = (request: IncomingMessage) => hostName(request).slice(0, -suffix.length);
  return {
    ownsHost(host) {
      const name = (host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
      return name.endsWith(suffix) && name !== consoleHost;
    },
    serve(request, response) {
      const slug = slugOf(request);
      const app = parts.routes.bySlug(slug);
      if (app) {
        parts.egress.count(app.projectId, request.socket, response);
        parts.figures.begin(app.projectId, response);
        keepConnection(response);
        return app.serve(request, response);
      }
      if (!parts.isRouted()) return sendPage(request, response, 'starting');
      // Visits to apps that are there are theirs to limit.
      if (countVisit(peerOf(request, isTrusted)) > 0) return sendPage(request, response, 'crowded');
      parts.live
        .absence(slug)
        .then((reason) => sendPage(request, response, reason))
        .catch((error) => {
          parts.log.error({ err: error }, 'no page for an absent app');
          sendPage(request, response, 'starting');
        });
    },
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const app = parts.routes.bySlug(slugOf(request));
      if (!app) return refuseUpgrade(socket, parts.isRouted() ? 404 : 503);
      parts.egress.count(app.projectId, socket, socket);
      app.upgrade(request, socket, head);
    },
  };
}
