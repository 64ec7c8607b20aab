import { optimiseProgramme, type ProgrammeSearch } from '@heterosis/analysis/programmes/optimise-programme';
import { allocationsCsv, optimumReport, stepsCsv } from '@heterosis/analysis/programmes/optimum-report';
import type { ReplicateTask } from '@heterosis/analysis/programmes/run-replicate';
import {
  programmeSearch,
  schemeAt,
  searchPlan,
  searchProblems,
} from '@heterosis/contracts/work/programmes/programme-optimum';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import type { CommandIo, CommandResult } from '../command.ts';
import { writeOutput } from '../write-output.ts';
import { readSettings } from './read-settings.ts';

/** Searches the best numbers of a scheme by a file, and writes them. @throws InputError E-SM-OPTIMISE */
export async function optimise(
  { path, scheme, task }: { path: string; scheme: ProgrammeScheme; task: Omit<ReplicateTask, 'scheme'> },
  outputs: { out: string; 'steps-out'?: string | undefined; 'scheme-out'?: string | undefined },
  io: CommandIo,
): Promise<CommandResult> {
  const founders = task.material.founderNames.length;
  const wanted = await readSettings(path, programmeSearch, 'E-SM-OPTIMISE', (search) =>
    searchProblems(scheme, search, founders),
  );
  const { numbers, gain, diversity, replicates } = wanted;
  const search: ProgrammeSearch = {
    plan: searchPlan(scheme, wanted, { founders, seed: task.seed }),
    objectives: diversity === undefined ? [gain] : [gain, diversity],
    replicates,
    schemeAt: (allocation) => schemeAt(scheme, wanted, allocation),
  };
  const found = await optimiseProgramme(task, search, io.context);
  const names = numbers.map(({ name }) => name);
  const report = optimumReport(search, names, found, found.evaluations.length);
  await writeOutput(outputs.out, allocationsCsv(report));
  if (outputs['steps-out'] !== undefined) await writeOutput(outputs['steps-out'], stepsCsv(report));
  if (outputs['scheme-out'] !== undefined) {
    const best = schemeAt(
      scheme,
      wanted,
      report.numbers.map((one) => one.best),
    );
    await writeOutput(outputs['scheme-out'], [`${JSON.stringify(best, null, 2)}\n`]);
  }
  const [best] = report.allocations;
  return {
    summary: {
      ...{ scheme: scheme.name, evaluations: report.evaluations, founders },
      best: Object.fromEntries(report.numbers.map((one) => [one.name, one.best])),
      ...{ gain: best?.gain.mean ?? null, gain_se: best?.gain.se ?? null, cost: best?.cost ?? null, out: outputs.out },
    },
    lines: [
      `${scheme.name}: ${report.evaluations} evaluations of ${report.allocations.length} allocations`,
      `best: ${report.numbers.map((one) => `${one.name} ${one.best} (${one.low} to ${one.high})`).join(', ')}`,
      `written: ${outputs.out}`,
    ],
  };
}
