import { type MockAdmin, mockAdminWorld } from '../../test/mock-admin.ts';
import { type MockWorld, mockUser } from '../../test/mock-world.ts';

/** Who looks. */
export const ADA = mockUser({ role: 'admin' });
export const GRACE = mockUser({
  id: 'c0ffee00-0000-7000-8000-00000000000b',
  email: 'grace@example.com',
  firstName: 'Grace',
  lastName: 'Hopper',
  handle: 'grace',
  createdAt: '2026-11-21T12:00:00.000Z',
});
export const ALAN = mockUser({
  id: 'feedbeef-0000-7000-8000-00000000000c',
  email: 'alan@example.com',
  firstName: null,
  lastName: null,
  handle: 'alan',
  role: 'admin',
});

/** More than a page of rows, newest first. */
export function rows<T>(count: number, row: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => row(count - index));
}

/** Ada's installation. */
export function adminWorld(admin: Partial<MockAdmin> = {}, state: Partial<MockWorld> = {}) {
  // Copied, since the mock API changes its rows in place.
  return { user: ADA, admin: structuredClone(mockAdminWorld(admin)), ...state };
}
