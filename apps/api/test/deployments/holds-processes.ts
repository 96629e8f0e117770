import { findNamespace } from '../../src/domains/deployments/engine/process/toolchain.ts';

/** Whether this machine lets us keep a project's processes together, whatever they do. */
export const holdsProcesses =
  process.getuid?.() === 0 || (await findNamespace(process.env.PATH ?? '')).length > 0;
if (!holdsProcesses)
  console.warn('skipped in part: processes can only be held as root or in a user namespace');
