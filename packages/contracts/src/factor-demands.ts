import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { ById, Id } from './page.ts';

/** Whether people have to have a second factor. */
export const FactorDemand = z.object({
  demanded: z.boolean(),
  /** How many of them have none, and are kept out where one is demanded; service accounts need none. */
  lacking: z.int(),
});
export type FactorDemand = z.output<typeof FactorDemand>;

const demanded = z.boolean('Say whether it is demanded.');
const PER_MINUTE = 60;

const OF_ALL = 'api/admin/second-factor';

/** Rows of the domain `admin`. */
export const installationDemand = {
  secondFactor: query({
    summary: 'Whether everyone on this server has to have a second factor, and how many have none',
    route: `GET /${OF_ALL}`,
    access: 'admin',
    perMinute: PER_MINUTE,
    output: FactorDemand,
  }),
  demandSecondFactor: mutation({
    summary: 'Demand a second factor of everyone on this server, or no longer; you need one yourself',
    route: `PUT /${OF_ALL}`,
    access: 'admin',
    fresh: true,
    sessionOnly: true,
    perMinute: PER_MINUTE,
    input: z.object({ demanded }),
    output: FactorDemand,
  }),
};

const OF_MEMBERS = 'api/workspaces/{id}/second-factor';

/** Rows of the domain `workspaces`. */
export const workspaceDemand = {
  secondFactor: query({
    summary: 'Whether members of a workspace have to have a second factor, and how many have none',
    route: `GET /${OF_MEMBERS}`,
    workspaceField: 'id',
    perMinute: PER_MINUTE,
    input: ById,
    output: FactorDemand,
  }),
  demandSecondFactor: mutation({
    summary: 'Demand a second factor of the members of a workspace, or no longer; you need one yourself',
    route: `PUT /${OF_MEMBERS}`,
    workspaceField: 'id',
    needs: 'own',
    fresh: true,
    sessionOnly: true,
    perMinute: PER_MINUTE,
    input: z.object({ id: Id, demanded }),
    output: FactorDemand,
  }),
};
