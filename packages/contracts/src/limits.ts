import { z } from 'zod';
import { LIMITED, type Limited, MAX_LIMITS } from './constants.ts';
import { mutation, query } from './kit.ts';
import { Id } from './page.ts';

/** Something of which there may be so many. */
const Limit = z.object({
  used: z.int(),
  /** What it is by the plan, or for everybody; null for any number. */
  standard: z.int().nullable(),
  /** What an admin set in its place; null where none did. */
  set: z.int().nullable(),
});

/** What one owner has, and may have. Storage is in bytes. */
export const WorkspaceLimits = z.object({
  /** Name of the plan; `Unlimited` where billing is switched off. */
  plan: z.string(),
  limits: z.object(byLimited(() => Limit)),
});
export type WorkspaceLimits = z.output<typeof WorkspaceLimits>;

/** The limits to be set; null takes one back, and what is left out stays. */
export const LimitChanges = z.object(
  byLimited((name) => {
    const sentence = `Enter a whole number up to ${MAX_LIMITS[name]}.`;
    return z.int(sentence).min(0, sentence).max(MAX_LIMITS[name], sentence).nullable().optional();
  }),
);
export type LimitChanges = z.output<typeof LimitChanges>;

function byLimited<T>(of: (name: Limited) => T): Record<Limited, T> {
  // Of all names, as the type says.
  return Object.fromEntries(LIMITED.map((name) => [name, of(name)])) as Record<Limited, T>;
}

const ByOwner = z.object({ ownerId: Id });

/** Rows of the domain `admin`. */
export const limits = {
  limits: query({
    summary: "What a workspace uses and may have; a person's own workspace has their user ID",
    route: 'GET /api/admin/workspaces/{ownerId}/limits',
    access: 'admin',
    perMinute: 120,
    input: ByOwner,
    output: WorkspaceLimits,
  }),
  setLimits: mutation({
    summary: "Set limits of a workspace in place of its plan's; null takes one back; storage in bytes",
    route: 'PATCH /api/admin/workspaces/{ownerId}/limits',
    access: 'admin',
    sessionOnly: true,
    fresh: true,
    perMinute: 30,
    input: LimitChanges.extend(ByOwner.shape),
    output: WorkspaceLimits,
  }),
};
