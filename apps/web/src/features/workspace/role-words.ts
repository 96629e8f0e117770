import type { Permission, WorkspaceRole } from '../../lib/workspace-roles.ts';

/** What a role is for, in a line. */
export const ROLE_HINTS: Readonly<Record<WorkspaceRole, string>> = {
  owner: 'Does everything, also handing over and deleting the workspace.',
  admin: 'Does everything but the plan and the end of the workspace.',
  developer: 'Makes, changes and deletes things, and sees secrets.',
  viewer: 'Sees everything but secrets, and changes nothing.',
  billing: 'Sees everything but secrets, and pays.',
};

/** What a permission lets one do; null for what everyone does with their own account. */
export const PERMISSION_WORDS: Readonly<Record<Permission, string | null>> = {
  account: null,
  view: 'See everything but secrets',
  secrets: 'See secrets, such as connection strings',
  build: 'Create, change and delete things',
  money: 'Move money in the payment gateway',
  billing: 'Change the plan, cards and payments',
  people: 'Invite, change and remove members',
  own: 'Rename, hand over and delete the workspace',
};
