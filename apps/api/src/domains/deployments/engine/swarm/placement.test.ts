import { expect, it } from 'vitest';
import type { Machine } from './machines.ts';
import { adviceOnRegistry, type Placements, placeOn } from './placement.ts';

function machine(id: string, change: Partial<Machine & { isUp: boolean }> = {}): Machine & { isUp: boolean } {
  return {
    ...{ id, name: id, address: '', role: 'worker', state: 'ready', availability: 'active', version: '' },
    ...{ isHere: false, isUp: true, isGivenUp: false, architecture: 'x86_64' },
    ...change,
  };
}

const here = machine('here', { isHere: true });
const source = { reference: 'registry.example.com/app@sha256:0', credentials: null };
const wanted = { hasLocalDisk: false, process: 'web', source };
const idOf = (placed: ReturnType<typeof placeOn>) => ('id' in placed ? placed.id : placed.reason);

it('puts an instance where the fewest of its process are, and then the fewest of all', () => {
  const there = machine('there');
  const placements: Placements = new Map([
    ['1', { machine: 'here', process: 'web' }],
    ['2', { machine: 'there', process: 'other' }],
    ['3', { machine: 'there', process: 'other' }],
  ]);
  expect(idOf(placeOn([here, there], placements, wanted))).toBe('there');
  expect(idOf(placeOn([here, there], placements, { ...wanted, process: 'new' }))).toBe('here');
});

it('takes no machine that is down, drained, or of another processor', () => {
  const others = [
    machine('down', { isUp: false }),
    machine('drained', { availability: 'drain' }),
    machine('other', { architecture: 'aarch64' }),
  ];
  const full: Placements = new Map([['1', { machine: 'here', process: 'web' }]]);
  expect(idOf(placeOn([here, ...others], full, wanted))).toBe('here');
  expect(idOf(placeOn([{ ...here, isUp: false }, ...others], full, wanted))).toMatch(/^no machine/);
});

it('keeps what has a disk there, or an image that others cannot pull, on the machine of the console', () => {
  const machines = [here, machine('there')];
  const full: Placements = new Map([['1', { machine: 'here', process: 'web' }]]);
  const local = { reference: 'localhost:3000/app@sha256:0', credentials: null };
  for (const change of [{ hasLocalDisk: true }, { source: null }, { source: local }]) {
    expect(idOf(placeOn(machines, full, { ...wanted, ...change }))).toBe('here');
    const drained = machines.map((one) => (one.isHere ? { ...one, isUp: false } : one));
    expect(idOf(placeOn(drained, full, { ...wanted, ...change }))).toMatch(/console's machine/);
  }
});

it('tells administrators why other machines cannot pull', () => {
  expect(adviceOnRegistry(new URL('http://localhost:3000'), 1)).toBe('');
  expect(adviceOnRegistry(new URL('http://localhost:3000'), 2)).toMatch(/Set PUBLIC_URL/);
  expect(adviceOnRegistry(new URL('http://console.example.com'), 2)).toMatch(/insecure-registries/);
  expect(adviceOnRegistry(new URL('https://console.example.com'), 2)).toBe('');
});
