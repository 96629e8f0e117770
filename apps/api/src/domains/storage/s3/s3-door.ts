import type { IncomingMessage } from 'node:http';
import type { FastifyServerOptions } from 'fastify';
import type { Settings } from '../../../core/settings.ts';
import { isS3Request } from './address.ts';

type Constraints = NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']>;
type Storage = ReturnType<Constraints[string]['storage']>;
type Handler = NonNullable<ReturnType<Storage['get']>>;

/** What routes for S3 clients have as `constraints`: no other request gets there, and none of these elsewhere. */
export const S3_ONLY = { door: 's3' };

function storage(): Storage {
  const handlers = new Map<string, Handler>();
  return {
    get: (door) => handlers.get(door) ?? null,
    set(door, handler) {
      handlers.set(door, handler);
    },
  };
}

/** Tells the router which requests are S3 clients'. */
export function s3Door(settings: Pick<Settings, 'publicUrl'>): Constraints {
  return {
    door: {
      name: 'door',
      storage,
      validate: () => true,
      // Undefined says that nothing constrains the request, which the type does not know.
      deriveConstraint: (request: IncomingMessage) =>
        (isS3Request(settings, request) ? S3_ONLY.door : undefined) as string,
      mustMatchWhenDerived: true,
    },
  };
}
