import { NAME_SERVER_PORT } from '@nephos/contracts/constants';
import type { FieldError } from '@nephos/contracts/kit';
import ipaddr from 'ipaddr.js';
import type { Settings } from '../../../core/settings.ts';
import { isPublicAddress } from '../../../platform/public-address.ts';

/** Where a name server answers. */
export interface Place {
  /** IP address. */
  address: string;
  port: number;
}

const REMEDY = 'Set ALLOW_PRIVATE_SECONDARIES=1 on the server to allow it.';
/** Ranges in which no single server is. */
const NOBODY: ReadonlySet<string> = new Set(['unspecified', 'broadcast', 'multicast']);

/**
 * Why nothing is sent to a secondary; undefined where it is. Anybody can enter an address, so that without the setting
 * our messages reach name servers of the internet alone, neither our own network nor other programs.
 */
export function faultOfPlace(
  { address, port }: Place,
  { allowPrivateSecondaries }: Pick<Settings, 'allowPrivateSecondaries'>,
): FieldError | undefined {
  if (NOBODY.has(ipaddr.process(address).range())) {
    return { path: 'address', message: `${address} isn't the address of a server.` };
  }
  if (allowPrivateSecondaries) return undefined;
  if (!isPublicAddress(address)) {
    return { path: 'address', message: `${address} is not a public address. ${REMEDY}` };
  }
  if (port === NAME_SERVER_PORT) return undefined;
  return { path: 'port', message: `The port must be ${NAME_SERVER_PORT}. ${REMEDY}` };
}
