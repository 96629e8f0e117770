import { expect, test } from 'vitest';
import { probationOf } from './probation.ts';

const SETTINGS = { dataDir: '/var/lib/nephos', databaseUrl: undefined };
const FOLDER = '/opt/nephos/releases/1.0.0';
const CHANGE = { before: '1.0.0', version: '2.0.0' };

test('the way back to the backup is named where there is one, and the units in any case', () => {
  const backedUpAt = new Date('2026-11-24T03:00:00Z');
  expect(probationOf({ ...CHANGE, backedUpAt }, SETTINGS, FOLDER).said).toContain(
    'nephos restore --at 2026-11-24T03:00:00.000Z',
  );
  const { said } = probationOf({ ...CHANGE, backedUpAt: undefined }, SETTINGS, FOLDER);
  expect(said).toContain(`\`sh ${FOLDER}/install.sh\` brings the units of 1.0.0 back`);
  expect(said).not.toContain('restore');
});
