// `npm run pairs [-- command … --option …]`: runs every two options of the commands (of those named, with those
// named) on a small panel and compares all figures with dense definitions. The end lists for each command its figures,
// refusals and what was not compared. PART=2/3 before it runs every third pair from the second on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS, pairsOf, unknownOptions } from './every-pair.test-data.ts';
import type { Pair } from './pair.test-data.ts';
import { type Outcome, runPair } from './run-pair.test-data.ts';

const words = process.argv.slice(2);
const commands = words.filter((word) => !word.startsWith('--'));
const wanted = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
const [part = 1, parts = 1] = (process.env['PART'] ?? '1/1').split('/').map(Number);
const folder = mkdtempSync(join(tmpdir(), 'heterosis-pairs-'));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const nameOf = ({ command, options: [one, other], variant, trait }: Pair): string =>
  `${command} --${one}${one === other ? '' : ` --${other}`} (${variant}, ${trait})`;

function describe(found: Outcome): string {
  if (found.kind === 'refused') return `refused: ${found.code} ${found.message}`;
  if (found.kind === 'estimated') return 'estimated';
  const gaps = found.notCompared.length === 0 ? '' : `; not compared: ${[...new Set(found.notCompared)].join(', ')}`;
  return `${found.figures.size} figures within ${Math.max(...found.figures.values()).toExponential(0)}${gaps}`;
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
  const figures = new Map<string, { runs: number; largest: number }>();
  const counts = { compared: 0, refused: 0, estimated: 0 };
  for (const [k, pair] of pairsOf(command).entries()) {
    if (k % parts !== part - 1) continue;
    if (wanted.length > 0 && !pair.options.some((option) => wanted.includes(option))) continue;
    try {
      const found = await runPair(pair, join(folder, 'pair'));
      counts[found.kind]++;
      if (found.kind === 'refused') refusals.set(found.code, (refusals.get(found.code) ?? 0) + 1);
      if (found.kind === 'compared') {
        for (const [figure, difference] of found.figures) {
          const { runs, largest } = figures.get(figure) ?? { runs: 0, largest: 0 };
          figures.set(figure, { runs: runs + 1, largest: Math.max(largest, difference) });
        }
        for (const gap of found.notCompared) gaps.set(gap, (gaps.get(gap) ?? 0) + 1);
      }
      say(`${nameOf(pair)}: ${describe(found)}`);
    } catch (error) {
      failed++;
      say(`DIFFERENT ${nameOf(pair)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  say(`\n${command.name}: ${counts.compared} runs compared, ${counts.refused} refused, ${counts.estimated} estimates`);
  for (const [figure, { runs, largest }] of figures)
    say(`  compared in ${runs} runs, within ${largest.toExponential(0)}: ${figure}`);
  for (const [code, count] of refusals) say(`  refused ${count} times: ${code}`);
  for (const [gap, count] of gaps) say(`  not compared in ${count} runs: ${gap}`);
}
rmSync(folder, { recursive: true, force: true });
say(failed === 0 ? 'No difference.' : `${failed} differences.`);
process.exitCode = failed === 0 ? 0 : 1;
