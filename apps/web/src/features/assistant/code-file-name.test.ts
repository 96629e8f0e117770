import { expect, it } from 'vitest';
import { codeFileName } from './code-file-name.ts';

const MANIFEST =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  labels:\n    name: not-this\n  name: nginx\n';

it.each([
  ['yaml', MANIFEST, 'nginx.yaml'],
  ['yml', 'metadata:\n  name: "shop.example"\n', 'shop.example.yaml'],
  ['yaml', 'a: 1', 'manifest.yaml'],
  ['yaml', 'metadata:\n  name: ../../etc/passwd\n', 'manifest.yaml'],
  ['yaml', 'metadata:\nspec:\n  name: not-this\n', 'manifest.yaml'],
  ['dockerfile', 'FROM node', 'Dockerfile'],
  ['sh', 'ls', 'script.sh'],
  ['', 'some output', undefined],
  ['toString', '', undefined],
])('%s %j is %s', (language, code, name) => expect(codeFileName(language, code)).toBe(name));
