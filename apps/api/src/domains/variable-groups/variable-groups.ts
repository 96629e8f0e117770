import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { groupsOfProject, linkGroup, unlinkGroup } from './links.ts';
import {
  createGroup,
  getGroup,
  listGroups,
  removeGroup,
  removeGroupVariable,
  renameGroup,
  scopeGroupVariable,
  setGroupVariable,
  setGroupVariables,
} from './service.ts';

/** Groups of variables, and which projects have them. */
export function createVariableGroups({
  secrets,
}: Pick<Platform, 'secrets'>): Domain<typeof contract.variableGroups> {
  return {
    handlers: {
      list: ({ ctx }) => listGroups(ctx),
      create: ({ ctx, input }) => createGroup(ctx, secrets, input),
      get: ({ ctx, input }) => getGroup(ctx, input.id),
      rename: ({ ctx, input }) => renameGroup(ctx, input),
      remove: ({ ctx, input }) => removeGroup(ctx, input.id),
      setVariables: ({ ctx, input }) => setGroupVariables(ctx, secrets, input),
      setVariable: ({ ctx, input }) => setGroupVariable(ctx, secrets, input),
      scopeVariable: ({ ctx, input }) => scopeGroupVariable(ctx, input),
      removeVariable: ({ ctx, input }) => removeGroupVariable(ctx, input),
      ofProject: ({ ctx, input }) => groupsOfProject(ctx, input.id),
      link: ({ ctx, input }) => linkGroup(ctx, input),
      unlink: ({ ctx, input }) => unlinkGroup(ctx, input),
    },
  };
}
