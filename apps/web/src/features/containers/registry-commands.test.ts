import { describe, expect, it } from 'vitest';
import { dockerCommands, needsInsecureRegistry, skopeoCommands } from './registry-commands.ts';

const PLAIN = { host: 'localhost:3000', secure: false };
const SECURE = { host: 'console.example.com', secure: true };
const image = { name: 'ada/tools/weather', tag: 'v1' };
const email = 'ada@example.com';

function texts(commands: { command: string }[]) {
  return commands.map(({ command }) => command);
}

describe('the commands', () => {
  it('for Docker log in, pull, tag and push', () => {
    expect(texts(dockerCommands({ registry: PLAIN, image, email }))).toEqual([
      'docker login --username ada@example.com localhost:3000',
      'docker pull localhost:3000/ada/tools/weather:v1',
      'docker tag weather:v1 localhost:3000/ada/tools/weather:v1',
      'docker push localhost:3000/ada/tools/weather:v1',
    ]);
  });

  it('for skopeo do without TLS where the console is plain http', () => {
    expect(texts(skopeoCommands({ registry: PLAIN, image, email }))).toEqual([
      'skopeo login --tls-verify=false --username ada@example.com localhost:3000',
      'skopeo copy --src-tls-verify=false docker://localhost:3000/ada/tools/weather:v1 oci:weather:v1',
      'skopeo copy --dest-tls-verify=false oci:weather:v1 docker://localhost:3000/ada/tools/weather:v1',
      'skopeo inspect --tls-verify=false docker://localhost:3000/ada/tools/weather:v1',
    ]);
  });

  it('for skopeo verify where it is https', () => {
    expect(texts(skopeoCommands({ registry: SECURE, image, email })).join('\n')).not.toContain('tls-verify');
  });

  it('quote what a shell would read', () => {
    const [login] = dockerCommands({ registry: PLAIN, image, email: "o'brien&co@example.com" });
    expect(login?.command).toBe("docker login --username 'o'\\''brien&co@example.com' localhost:3000");
  });
});

it.each([
  ['localhost:3000', false, false],
  ['127.0.0.1:3000', false, false],
  ['[::1]:3000', false, false],
  ['192.0.2.7:3000', false, true],
  ['localhost.example.com', false, true],
  ['console.example.com', true, false],
])('Docker has to be told of %s (https: %s): %s', (host, secure, needed) => {
  expect(needsInsecureRegistry({ host, secure })).toBe(needed);
});
