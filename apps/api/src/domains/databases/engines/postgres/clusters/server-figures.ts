import { CLASS_LIMITS } from '@nephos/contracts/constants';
import type { ServerSettings } from '../../../database-settings.ts';
import { UNPROVEN_LIMIT } from '../../limits.ts';

/** What a server of one class is set up for. */
export interface ServerFigures {
  /** Sessions of each user, and of the database. */
  connections: number;
  /** Clients at once, those included who are proving who they are. */
  clients: number;
  /** PostgreSQL's own. */
  parameters: Readonly<Record<string, string | number>>;
}

/** What PostgreSQL keeps for us: `superuser_reserved_connections`. */
const RESERVED = 5;

type SizeClass = ServerSettings['sizeClass'];

/** A quarter of the memory is for pages, a good part of the rest for what sessions sort. */
const MEMORY: Record<SizeClass, Record<string, string>> = {
  small: { shared_buffers: '32MB', work_mem: '4MB', effective_cache_size: '192MB' },
  medium: {
    ...{ shared_buffers: '256MB', work_mem: '8MB', maintenance_work_mem: '128MB' },
    effective_cache_size: '768MB',
  },
  large: {
    ...{ shared_buffers: '1GB', work_mem: '16MB', maintenance_work_mem: '256MB' },
    effective_cache_size: '3GB',
  },
};

const figures = (sizeClass: SizeClass): ServerFigures => {
  const { connections } = CLASS_LIMITS[sizeClass];
  const clients = connections + UNPROVEN_LIMIT;
  return {
    ...{ connections, clients },
    parameters: { max_connections: clients + RESERVED, ...MEMORY[sizeClass] },
  };
};

/** By class; each the same object whenever it is asked for. */
export const SERVER_FIGURES: Readonly<Record<SizeClass, ServerFigures>> = {
  small: figures('small'),
  medium: figures('medium'),
  large: figures('large'),
};
