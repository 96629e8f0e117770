import { projects } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { createProject, getProject, listProjects, removeProject, updateProject } from './service.ts';
import { listVariables, removeVariable, setVariable } from './variables.ts';

export const projectsRouter = implement(projects, {
  list: ({ ctx, input }) => listProjects(ctx, input),
  create: ({ ctx, input }) => createProject(ctx, input),
  get: ({ ctx, input }) => getProject(ctx, input.id),
  update: ({ ctx, input }) => updateProject(ctx, input),
  remove: ({ ctx, input }) => removeProject(ctx, input.id),
  variables: ({ ctx, input }) => listVariables(ctx, input.id),
  setVariable: ({ ctx, input }) => setVariable(ctx, input),
  removeVariable: ({ ctx, input }) => removeVariable(ctx, input),
  runtimes: ({ ctx }) => ctx.engine.runtimes(),
});
