import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';
import { line } from './text.ts';
import {
  NewVariable,
  NewVariables,
  VARIABLES_BODY_LIMIT,
  Variable,
  VariableList,
  VariableOf,
  VariableScopeChange,
} from './variables.ts';

/** Variables that several projects share. */
export const VariableGroup = z.object({
  id: Id,
  /** Yours alone has it. */
  name: z.string(),
  variables: z.array(Variable),
  /** The projects whose next restarts and deployments get them. */
  projects: z.array(z.object({ id: Id, name: z.string() })),
  createdAt: z.iso.datetime(),
});
export type VariableGroup = z.output<typeof VariableGroup>;

const GroupName = line(100, 'Name');

const GroupOfProject = z.object({
  id: Id.describe("The project's id"),
  groupId: Id,
});

export const variableGroups = {
  list: query({
    summary: 'Your groups of variables by name, with the names of their variables and their projects',
    route: 'GET /api/variable-groups',
    forAssistant: true,
    output: z.array(VariableGroup),
  }),
  create: mutation({
    summary: 'Create a group of variables',
    route: 'POST /api/variable-groups',
    status: 201,
    bodyLimit: VARIABLES_BODY_LIMIT,
    perMinute: 30,
    refusals: { 409: 'You have a group of this name' },
    input: z.object({ name: GroupName, variables: VariableList.default([]) }),
    output: VariableGroup,
  }),
  get: query({
    summary: 'One group of variables',
    route: 'GET /api/variable-groups/{id}',
    input: ById,
    output: VariableGroup,
  }),
  rename: mutation({
    summary: 'Rename a group of variables',
    route: 'PATCH /api/variable-groups/{id}',
    refusals: { 409: 'You have a group of this name' },
    perMinute: 30,
    input: ById.extend({ name: GroupName }),
    output: VariableGroup,
  }),
  remove: mutation({
    summary:
      'Delete a group with its variables; the next restarts and deployments of its projects go without them',
    route: 'DELETE /api/variable-groups/{id}',
    perMinute: 30,
    input: ById,
    output: Success,
  }),
  setVariables: mutation({
    summary:
      'Add or replace many variables of a group: all of them, or none where one is refused. They apply to the next restart or deployment of each of its projects',
    route: 'PUT /api/variable-groups/{id}/variables',
    refusals: { 403: 'The group would have too many variables' },
    bodyLimit: VARIABLES_BODY_LIMIT,
    perMinute: 60,
    input: NewVariables,
    output: z.array(Variable),
  }),
  setVariable: mutation({
    summary:
      'Add or replace a variable of a group. It applies to the next restart or deployment of each of its projects',
    route: 'PUT /api/variable-groups/{id}/variables/{name}',
    refusals: { 403: 'The group would have too many variables' },
    perMinute: 60,
    input: NewVariable,
    output: Variable,
  }),
  scopeVariable: mutation({
    summary: 'Say whether builds, apps or both get a variable of a group. Its value stays',
    route: 'PATCH /api/variable-groups/{id}/variables/{name}',
    perMinute: 60,
    input: VariableScopeChange,
    output: Variable,
  }),
  removeVariable: mutation({
    summary: 'Delete a variable of a group',
    route: 'DELETE /api/variable-groups/{id}/variables/{name}',
    perMinute: 60,
    input: VariableOf,
    output: Success,
  }),
  ofProject: query({
    summary:
      "The groups that a project has linked, in the order of linking. Of variables with the same name the project's own wins, then that of the group that was linked last",
    route: 'GET /api/projects/{id}/variable-groups',
    input: ById,
    output: z.array(VariableGroup),
  }),
  link: mutation({
    summary:
      'Give the variables of a group to a project from its next restart or deployment on. Linking again moves it last',
    route: 'PUT /api/projects/{id}/variable-groups/{groupId}',
    refusals: { 403: 'The project has too many groups' },
    perMinute: 60,
    input: GroupOfProject,
    output: z.array(VariableGroup),
  }),
  unlink: mutation({
    summary: 'Take the variables of a group from a project, from its next restart or deployment on',
    route: 'DELETE /api/projects/{id}/variable-groups/{groupId}',
    perMinute: 60,
    input: GroupOfProject,
    output: Success,
  }),
};
