// Pairs of options against dense definitions: a seeded part of what `npm run pairs` tries.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { isWhole } from '@heterosis/test-support/whole';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crossCommand } from '../commands/cross.ts';
import { COMMANDS, pairsOf, unknownOptions } from './every-pair.test-data.ts';
import { runPair } from './run-pair.test-data.ts';

/** Of each command, more in `npm run test:all`; all of them are tried by `npm run pairs`. */
const TRIED = isWhole ? 14 : 7;
/** A run of `cross` has a cross of every kind, each with two loci at a time through all generations. */
const TRIED_OF_CROSS = isWhole ? 3 : 2;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-pairs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const command of COMMANDS) {
  test(`every option of ${command.name} has a setting to be tried with`, () => {
    expect(unknownOptions(command)).toEqual([]);
  });

  test(`${command.name} with two options is what its definition says, or is refused with a reason`, async () => {
    const all = pairsOf(command);
    const random = createRandomStream(14, 'pairs', command.name);
    const outcomes: string[] = [];
    for (let k = 0; k < (command === crossCommand ? TRIED_OF_CROSS : TRIED); k++) {
      const pair = all[random.nextInt(all.length)];
      if (pair === undefined) throw new TypeError('no pair');
      const found = await runPair(pair, join(folder, 'pair'));
      outcomes.push(found.kind);
    }
    expect(outcomes).toContain('compared');
  });
}
