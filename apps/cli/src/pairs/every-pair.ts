// `npm run pairs [-- command … --option …]`: runs every two options of the commands (of those named, with those
// named) on a small panel and compares all figures with dense definitions. Each line says what was compared; the end
// lists refusals and what has no definition.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS, pairsOf, unknownOptions, WITHOUT_DEFINITION } from './every-pair.test-data.ts';
import { type Outcome, type Pair, runPair } from './run-pair.test-data.ts';

const words = process.argv.slice(2);
const commands = words.filter((word) => !word.startsWith('--'));
const wanted = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'heterosis-pairs-'));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const nameOf = ({ command, options: [one, other], engine, trait }: Pair): string =>
  `${command} --${one}${one === other ? '' : ` --${other}`} (${engine}, ${trait})`;

function describe(found: Outcome): string {
  if (found.kind === 'refused') return `refused: ${found.code} ${found.message}`;
  if (found.kind === 'estimated') return 'estimated';
  const gaps = found.notCompared.length === 0 ? '' : `; not compared: ${[...new Set(found.notCompared)].join(', ')}`;
  return `${found.figures.join(', ')}: within ${found.largest.toExponential(0)}${gaps}`;
}

let failed = 0;
for (const command of COMMANDS) {
  if (commands.length > 0 && !commands.includes(command.name)) continue;
  for (const option of unknownOptions(command)) {
    failed++;
    say(`DIFFERENT ${command.name}: --${option} has no setting`);
  }
  const refusals = new Map<string, number>();
  const gaps = new Map<string, number>();
  const counts = { compared: 0, refused: 0, estimated: 0 };
  for (const pair of pairsOf(command)) {
    if (wanted.length > 0 && !pair.options.some((option) => wanted.includes(option))) continue;
    try {
      const found = await runPair(pair, join(folder, 'pair'));
      counts[found.kind]++;
      if (found.kind === 'refused') refusals.set(found.code, (refusals.get(found.code) ?? 0) + 1);
      if (found.kind === 'compared') for (const gap of found.notCompared) gaps.set(gap, (gaps.get(gap) ?? 0) + 1);
      say(`${nameOf(pair)}: ${describe(found)}`);
    } catch (error) {
      failed++;
      say(`DIFFERENT ${nameOf(pair)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  say(`\n${command.name}: ${counts.compared} runs compared, ${counts.refused} refused, ${counts.estimated} estimates`);
  for (const [code, count] of refusals) say(`  refused ${count} times: ${code}`);
  for (const [gap, count] of gaps) say(`  not compared in ${count} runs: ${gap}`);
}
for (const name of WITHOUT_DEFINITION) say(`${name}: no definition here yet`);
rmSync(folder, { recursive: true, force: true });
say(failed === 0 ? 'No difference.' : `${failed} differences.`);
process.exitCode = failed === 0 ? 0 : 1;
