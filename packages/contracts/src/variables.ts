import { z } from 'zod';
import { Id } from './page.ts';
import {
  faultOfVariableName,
  faultOfVariableValue,
  MAX_VARIABLES,
  VARIABLE_SCOPES,
} from './project-rules.ts';

export const VariableName = z.string().refine((name) => faultOfVariableName(name) === undefined, {
  error: ({ input }) => faultOfVariableName(String(input)),
});

/** Who is given a variable: the build and the app, or one of them. */
export const VariableScope = z.enum(VARIABLE_SCOPES, `Scope must be one of ${VARIABLE_SCOPES.join(', ')}.`);
export type VariableScope = z.output<typeof VariableScope>;

/** A variable as it is listed: its value is never given back, only what it refers to. */
export const Variable = z.object({
  name: z.string(),
  scope: VariableScope,
  /** What its value refers to, for example `databases.shop.url`. */
  references: z.array(z.string()),
  /** The one of them that its value is as a whole; null where there is more to it. */
  reference: z.string().nullable(),
  updatedAt: z.iso.datetime(),
});
export type Variable = z.output<typeof Variable>;

const VariableValue = z
  .string()
  .refine((value) => faultOfVariableValue(value) === undefined, {
    error: ({ input }) => faultOfVariableValue(String(input)),
  })
  .describe(
    `Plain text, with references like \${{databases.shop.url}} that are resolved when a deployment starts`,
  );

/** Absent: as it was, and of a new one `all`. */
const NewScope = VariableScope.optional();

export const NewVariable = z.object({
  id: Id,
  name: VariableName,
  value: VariableValue,
  scope: NewScope,
});

/** Bytes of a request with many variables. */
export const VARIABLES_BODY_LIMIT = 512 * 1024;

/** Each name once; some, where at least one is needed. */
export const VariableList = z
  .array(z.object({ name: VariableName, value: VariableValue, scope: NewScope }))
  .max(MAX_VARIABLES, `Send at most ${MAX_VARIABLES} variables.`)
  .refine(
    (variables) => new Set(variables.map(({ name }) => name)).size === variables.length,
    'Each name can be set once.',
  );

export const NewVariables = z.object({
  id: Id,
  /** Names that are not in the list keep their values. */
  variables: VariableList.min(1, 'Send at least one variable.'),
});

/** One variable of a project, or of a group. */
export const VariableOf = z.object({ id: Id, name: z.string() });

export const VariableScopeChange = VariableOf.extend({ scope: VariableScope });
