import { readFile } from 'node:fs/promises';
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
import { type CommandIo, type CommandResult, InputError } from '../command.ts';
import { writeOutput } from '../write-output.ts';

/** Searches the best numbers of a scheme by a file, and writes them. @throws InputError E-SM-OPTIMISE */
export async function optimise(
  { path, scheme, task }: { path: string; scheme: ProgrammeScheme; task: Omit<ReplicateTask, 'scheme'> },
  outputs: { out: string; 'steps-out'?: string | undefined; 'scheme-out'?: string | undefined },
  io: CommandIo,
): Promise<CommandResult> {
  const founders = task.material.founderNames.length;
  const wanted = await readSearch(path, scheme, founders);
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

async function readSearch(path: string, scheme: ProgrammeScheme, founders: number) {
  const refused = (problems: readonly { field: string; message: string }[]) =>
    new InputError(
      problems.map(({ field, message }) => ({
        ...{ severity: 'error', code: 'E-SM-OPTIMISE', line: null, column: null, value: field === '' ? null : field },
        message: `${field === '' ? '' : `${field}: `}${message}.`,
        suggestion: 'Correct it; the help page "Breeding programmes" explains each field.',
      })),
      path,
    );
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refused([{ field: '', message: `It is not JSON: ${error.message}` }]);
  }
  const parsed = programmeSearch.safeParse(json);
  if (!parsed.success)
    throw refused(parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })));
  const problems = searchProblems(scheme, parsed.data, founders);
  if (problems.length > 0) throw refused(problems);
  return parsed.data;
}
