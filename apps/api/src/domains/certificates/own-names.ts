import type { Database } from '@nephos/db';
import ipaddr from 'ipaddr.js';
import type { Kysely } from 'kysely';
import { isLoopbackHost } from '../../core/env.ts';
import type { Settings } from '../../core/settings.ts';
import { servesConsoleHttps } from '../../platform/host-address.ts';
import { unbracketed } from '../../platform/public-address.ts';
import { zoneOf } from './challenges.ts';

export type NameSettings = Pick<Settings, 'acme' | 'httpsPort' | 'publicUrl' | 'appsDomain'>;

/** Names of the server's own that are to have certificates. */
export interface OwnNames {
  /** The console's host; undefined where it has none, or another serves it by https. */
  console: string | undefined;
  /** All names right below the domain of apps; undefined as well where that is no zone of an administrator here. */
  apps: string | undefined;
}

/** All names right below the domain of apps; undefined where it is not the internet's, or who serves the console does so. */
export function appsNameOf(settings: NameSettings): string | undefined {
  const { publicUrl, appsDomain } = settings;
  const isOurs = servesConsoleHttps(settings) || publicUrl.protocol === 'http:';
  return isOurs && isNameOfInternet(appsDomain) ? `*.${appsDomain}` : undefined;
}

/** Which of the server's names the authority can issue a certificate for. */
export async function readOwnNames(db: Kysely<Database>, settings: NameSettings): Promise<OwnNames> {
  const { publicUrl, appsDomain } = settings;
  const { hostname } = publicUrl;
  const apps = appsNameOf(settings);
  const zone = apps && (await zoneOf(db, { ownerId: null, name: appsDomain }));
  return {
    console: servesConsoleHttps(settings) && isNameOfInternet(hostname) ? hostname : undefined,
    apps: zone && apps,
  };
}

function isNameOfInternet(host: string): boolean {
  return !isLoopbackHost(host) && !ipaddr.isValid(unbracketed(host));
}
