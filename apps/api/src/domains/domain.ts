import type { BytesHandlers, Handlers } from '@nephos/contracts/implement';
import type { Table } from '@nephos/contracts/kit';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Context } from '../core/context.ts';
import type { EngineCheck } from '../platform/engine-check.ts';
import type { Sweeps } from '../platform/sweeps.ts';

/** Part of the server that is made from the few things it needs. What is absent it does not have. */
export interface Part {
  /** Adds what it answers besides its rows of the contract, in a scope of its own. */
  routes?(app: FastifyInstance): Promise<void> | void;
  /** What is cleared away hourly. */
  sweeps?: Sweeps;
  /** What it runs on, for the administrators. */
  engines?(): readonly EngineCheck[];
  /** Adds figures to `/metrics`. */
  metrics?(registry: Registry): void;
  /** Begins its work; the server is ready when all have. */
  start?(): Promise<void> | void;
  /** Takes up what a stop left unfinished: the jobs run by now. */
  resume?(): Promise<void>;
  /** Does what nobody waits for, once the server is ready. It logs its own failures. */
  catchUp?(): Promise<void>;
  /** Ends what `start` began. `jobsEnded` resolves when no job runs any more. */
  stop?(jobsEnded: Promise<void>): Promise<void> | void;
}

/** A domain of the contract, with its handlers by row of its table. */
export interface Domain<T extends Table> extends Part {
  handlers: Handlers<T, Context> & BytesHandlers<T, Context>;
}
