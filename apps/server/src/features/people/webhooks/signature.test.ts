import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signatureOf } from './signature.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../../../docs/user-guide/webhooks.md'), 'utf8');

const exampleIn = (language: string): string => {
  const code = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(GUIDE)?.[1];
  if (code === undefined) throw new Error(`The guide has no example in ${language}.`);
  return code;
};

const SECRET = 'whsec_umlaut-ä';
const BODY = '{"event":"test","name":"Ähre 🌾"}';
const now = Math.floor(Date.now() / 1000);

const headersOf = (timestamp: number, body = BODY) => ({
  'heterosis-timestamp': String(timestamp),
  'heterosis-signature': signatureOf(SECRET, timestamp, body),
});

/** Headers, and whether a receiver should believe them. */
const CALLS: readonly [headers: Record<string, string>, isGenuine: boolean][] = [
  [headersOf(now), true],
  [headersOf(now - 600), false],
  [headersOf(now, `${BODY} `), false],
  [{ ...headersOf(now), 'heterosis-timestamp': String(now - 1) }, false],
  [{ ...headersOf(now), 'heterosis-signature': 'sha256=' }, false],
];

const EXAMPLES: readonly [language: string, program: string, options: string[], call: string][] = [
  [
    'js',
    process.execPath,
    ['--input-type=module', '-e'],
    'console.log(JSON.stringify(JSON.parse(process.argv[2]).map((headers) => isGenuine(process.argv[1], headers, process.argv[3]))))',
  ],
  [
    'python',
    'python3',
    ['-c'],
    'import json, sys\nprint(json.dumps([is_genuine(sys.argv[1], headers, sys.argv[3].encode()) for headers in json.loads(sys.argv[2])]))',
  ],
];

test.for(EXAMPLES)(
  'the example of the guide in %s believes what we sign, and nothing else',
  ([language, program, options, call], context) => {
    if (spawnSync(program, ['--version']).status !== 0) return context.skip(`${program} does not run on this machine`);
    const code = `${exampleIn(language)}\n${call}`;
    const given = [SECRET, JSON.stringify(CALLS.map(([headers]) => headers)), BODY];
    const environment = { PATH: process.env['PATH'], PYTHONUTF8: '1' };
    const answer = execFileSync(program, [...options, code, ...given], { encoding: 'utf8', env: environment });
    expect(JSON.parse(answer)).toEqual(CALLS.map(([, isGenuine]) => isGenuine));
  },
);
