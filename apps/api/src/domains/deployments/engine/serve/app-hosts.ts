import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ValidUntil } from '../../../../platform/host-address.ts';

/** Where requests for a host name of somebody's own go. */
export interface AppHost {
  /** Of the app; '' where a bucket's site answers. */
  slug: string;
  /** Of the site's bucket; null or absent where an app answers. */
  bucketId?: string | null;
  /** The host name that is to be asked instead; null where the app answers. */
  redirectTo: string | null;
  /** Until when requests by http are sent on to https, in milliseconds since the epoch; 0: they are not. */
  httpsUntil: number;
}

/** Answers for a bucket's site. */
export type ServeSite = (bucketId: string, request: IncomingMessage, response: ServerResponse) => void;

/** Host names of apps besides those below the domain of apps. */
export interface AppHosts {
  /** Answers for a bucket that is a site. */
  serveSite: ServeSite;
  /** By a host name in lower case, without port and final dot. */
  find(host: string): AppHost | undefined;
  /** Of those below the domain of apps. */
  validUntil: ValidUntil;
}

export const NO_HOSTS: AppHosts = {
  find: () => undefined,
  validUntil: () => 0,
  serveSite: (_bucketId, _request, response) => response.destroy(),
};
