import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a program prints that reads `input`; throws with what it complains of. */
function ask(program: string, args: readonly string[], input: string, env = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    input,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(0, 2000)}`);
  return stdout;
}

/** Throws where `xmllint` finds one of the texts not to be well-formed XML. */
export async function assertXml(texts: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-xml-'));
  try {
    const files = texts.map((_text, i) => join(folder, `${i}.xml`));
    await Promise.all(files.map((file, i) => writeFile(file, texts[i] ?? '')));
    ask('xmllint', ['--noout', '--nonet', ...files], '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

const READ_PLISTS = `
import json, plistlib, sys
print(json.dumps([plistlib.loads(text.encode(), fmt=plistlib.FMT_XML) for text in json.load(sys.stdin)]))`;

/** Property lists as Python reads them. */
export function readPlists(texts: readonly string[]): Record<string, unknown>[] {
  return JSON.parse(ask('python3', ['-c', READ_PLISTS], JSON.stringify(texts)));
}

const READ_MANIFESTS = `
import json, sys
from xml.etree import ElementTree
def read(text):
    root = ElementTree.fromstring(text.encode())
    return {'manifest': root.attrib, 'application': root.find('application').attrib}
print(json.dumps([read(text) for text in json.load(sys.stdin)]))`;

/** The attribute of Android's namespace, as `readManifests` names it. */
export function android(name: string): string {
  return `{http://schemas.android.com/apk/res/android}${name}`;
}

/** The attributes of Android manifests' roots and applications, as Python reads them. */
export function readManifests(
  texts: readonly string[],
): Record<'manifest' | 'application', Record<string, string>>[] {
  return JSON.parse(ask('python3', ['-c', READ_MANIFESTS], JSON.stringify(texts)));
}

// Stands in for fastlane: runs the file, every lane included, and notes what it calls.
const RUN_FASTFILES = `
require 'json'
module SharedValues; GRADLE_AAB_OUTPUT_PATH = 'aab'; end
class Lanes
  attr_reader :calls
  def initialize; @calls = []; end
  def platform(name); @platform = name; yield; end
  def lane(name); @calls << ['lane', "#{@platform} #{name}"]; yield; end
  def lane_context; { 'aab' => 'app.aab' }; end
  def method_missing(name, *values, **options); @calls << [name, *values, *(options.empty? ? [] : [options])]; end
end
print JSON.generate(JSON.parse($stdin.read).map { |text| Lanes.new.tap { |lanes| lanes.instance_eval(text) }.calls })`;

/** The environment that lanes ask for: each variable has its own name as its value. */
const LANES_ENVIRONMENT = Object.fromEntries(
  [
    'PLAY_SERVICE_ACCOUNT_FILE',
    'APP_STORE_CONNECT_KEY_ID',
    'APP_STORE_CONNECT_ISSUER_ID',
    'APP_STORE_CONNECT_KEY_FILE',
  ].map((name) => [name, name]),
);

/** What each Fastfile calls, with its arguments, as Ruby runs it. */
export function runFastfiles(texts: readonly string[]): unknown[][][] {
  const environment = { ...process.env, ...LANES_ENVIRONMENT, LANG: 'C.UTF-8' };
  return JSON.parse(ask('ruby', ['-e', RUN_FASTFILES], JSON.stringify(texts), environment));
}

const READ_RUBY = `
require 'json'
print JSON.generate(JSON.parse($stdin.read).map { |literal| eval(literal) })`;

/** What Ruby's string literals mean. */
export function readRubyStrings(literals: readonly string[]): string[] {
  const environment = { ...process.env, LANG: 'C.UTF-8' };
  return JSON.parse(ask('ruby', ['-e', READ_RUBY], JSON.stringify(literals), environment));
}

/** The arguments that a POSIX shell makes of words. */
export function readShellWords(words: readonly string[]): string[] {
  const script = words.map((word) => `printf '%s\\0' ${word}`).join('\n');
  return ask('sh', ['-s'], script).split('\0').slice(0, -1);
}

/** Throws where a shell (`sh`, or `bash` as GitHub has it) cannot parse a script; runs nothing. */
export function assertShell(shell: 'sh' | 'bash', scripts: readonly string[]): void {
  for (const script of scripts) ask(shell, ['-n'], script);
}
