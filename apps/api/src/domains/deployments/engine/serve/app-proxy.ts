import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createProtocolOf } from '../../../../http/client-protocol.ts';
import { hostName, pathOf } from '../../../../http/request-target.ts';
import { sendElsewhere } from '../../../../http/send-elsewhere.ts';
import { trustOf } from '../../../../http/trusted-proxy.ts';
import { createVisitCounter } from '../../../../http/visit-limit.ts';
import { peerOf } from '../../../../platform/client-address.ts';
import { bucketOfHost, httpsAddress } from '../../../../platform/host-address.ts';
import type { AppFigures } from '../../../observability/app-figures.ts';
import type { AppHost, AppHosts } from './app-hosts.ts';
import { refuseUpgrade, sendPage } from './app-pages.ts';
import type { Egress } from './egress.ts';
import { keepConnection } from './keep-alive.ts';
import type { ServeParts } from './process-app.ts';

/** Visits to apps that are not there, of one address in a minute. */
const ABSENT_VISITS = 300;

/** No app has an empty slug. */
const PLAIN: AppHost = { slug: '', redirectTo: null, httpsUntil: 0 };

export interface AppProxy {
  ownsHost(host: string | undefined): boolean;
  serve(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

interface ProxyParts extends Pick<ServeParts, 'settings' | 'routes' | 'live' | 'log'> {
  hosts: AppHosts;
  egress: Egress;
  figures: AppFigures;
  /** Whether all apps that are there have routes. */
  isRouted: () => boolean;
}

/**
 * Serves requests for `<slug>.<appsDomain>`, and those for host names of its own, by the app of that slug or the site of
 * that bucket, or by a page that says why there is none.
 */
export function createAppProxy(parts: ProxyParts): AppProxy {
  const suffix = `.${parts.settings.appsDomain}`;
  const consoleHost = parts.settings.publicUrl.hostname;
  const isTrusted = trustOf(parts.settings.trustProxy);
  const countVisit = createVisitCounter(parts.settings, ABSENT_VISITS);
  const protocolOf = createProtocolOf(parts.settings);
  const isOurs = (host: string) => host.endsWith(suffix) && host !== consoleHost;
  /** Where a request goes. */
  const destinationOf = (request: IncomingMessage) => {
    const host = hostName(request);
    if (isOurs(host)) {
      return { ...PLAIN, slug: host.slice(0, -suffix.length), httpsUntil: parts.hosts.validUntil(host) };
    }
    return parts.hosts.find(host) ?? PLAIN;
  };
  /** The address that a request is sent on to; undefined where it is answered here. */
  const elsewhere = (request: IncomingMessage, { redirectTo, httpsUntil }: AppHost) => {
    const protocol = protocolOf(request);
    if (protocol !== 'https' && Date.now() < httpsUntil) {
      return `${httpsAddress(parts.settings, hostName(request))}${pathOf(request)}`;
    }
    return redirectTo === null ? undefined : sameAt(redirectTo, protocol, request);
  };
  return {
    ownsHost(host) {
      const name = hostName({ headers: { host } });
      // The console's name, and the storage's below it, may have been somebody's before they were the console's.
      const isConsoles = name === consoleHost || bucketOfHost(parts.settings, name) !== undefined;
      return !isConsoles && (isOurs(name) || parts.hosts.find(name) !== undefined);
    },
    serve(request, response) {
      const destination = destinationOf(request);
      const location = elsewhere(request, destination);
      if (location !== undefined) return sendElsewhere(request, response, location);
      const { slug, bucketId } = destination;
      if (bucketId) return parts.hosts.serveSite(bucketId, request, response);
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
      // No redirect: hardly a client follows one with a WebSocket.
      const app = parts.routes.bySlug(destinationOf(request).slug);
      if (!app) return refuseUpgrade(socket, parts.isRouted() ? 404 : 503);
      parts.egress.count(app.projectId, socket, socket);
      app.upgrade(request, socket, head);
    },
  };
}

/** The address of a request at another host, by the protocol and on the port at which it came. */
function sameAt(host: string, protocol: string, request: IncomingMessage): string {
  const port = /:\d+$/.exec(request.headers.host ?? '')?.[0] ?? '';
  const scheme = protocol === 'https' ? 'https' : 'http';
  return `${scheme}://${host}${port}${pathOf(request)}`;
}
