import type { openPhenotype } from '@heterosis/analysis/inputs/read-phenotype';
import type { CommandIo } from '../command.ts';

/** A phenotype file whose headers say what its columns hold; prints its warnings. */
export async function readPlainPhenotype(
  path: string,
  io: CommandIo,
): Promise<Awaited<ReturnType<typeof openPhenotype>>['table']> {
  const reader = await import('@heterosis/analysis/inputs/read-phenotype');
  const { table, reading } = await reader.openPhenotype(path, io.context);
  io.report(
    reading.report.problems.filter(({ severity }) => severity === 'warning'),
    path,
  );
  return table;
}
