import { type Variable, type VariableGroup, variableGroups } from '@nephos/contracts';
import { found, implement, success } from './mock-implement.ts';

export function mockVariable(changes: Partial<Variable> = {}): Variable {
  return {
    name: 'API_KEY',
    scope: 'all',
    references: [],
    reference: null,
    updatedAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

export function mockVariableGroup(changes: Partial<VariableGroup> = {}): VariableGroup {
  return {
    id: crypto.randomUUID(),
    name: 'Mail',
    variables: [mockVariable({ name: 'SMTP_HOST' })],
    projects: [],
    createdAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

export const variableGroupsMock = implement(variableGroups, {
  list: ({ ctx }) => ctx.world.variableGroups,
  create: ({ ctx: { world }, input: { name, variables } }) => {
    const group = mockVariableGroup({
      name,
      variables: variables.map((variable) => mockVariable({ name: variable.name })),
    });
    world.variableGroups = [...world.variableGroups, group];
    return group;
  },
  get: ({ ctx, input }) => found(ctx.world.variableGroups, input.id),
  rename: ({ ctx, input }) => Object.assign(found(ctx.world.variableGroups, input.id), { name: input.name }),
  remove: ({ ctx: { world }, input }) => {
    world.variableGroups = world.variableGroups.filter(({ id }) => id !== input.id);
    return success;
  },
  setVariables: ({ input }) => input.variables.map(({ name }) => mockVariable({ name })),
  setVariable: ({ input }) => mockVariable({ name: input.name }),
  scopeVariable: ({ input: { name, scope } }) => mockVariable({ name, scope }),
  removeVariable: () => success,
  ofProject: ({ ctx, input }) => ctx.world.variableGroups.filter((group) => isOf(group, input.id)),
  link: ({ ctx: { world }, input }) => {
    found(world.variableGroups, input.groupId).projects.push({ id: input.id, name: 'App' });
    return world.variableGroups.filter((group) => isOf(group, input.id));
  },
  unlink: ({ ctx: { world }, input }) => {
    const group = found(world.variableGroups, input.groupId);
    group.projects = group.projects.filter(({ id }) => id !== input.id);
    return success;
  },
});

function isOf({ projects }: VariableGroup, projectId: string): boolean {
  return projects.some(({ id }) => id === projectId);
}
