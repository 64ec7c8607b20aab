// One trial of 2,000 plots and 1,000 lines in two replicates, one thread, CPU seconds of one fit. Goals: blocks with
// fixed lines 0.8, PSANOVA 2, autoregression with a nugget 6. Peers on another machine: lme4 13.1 and LMMsolver 1.6 for
// blocks with fixed lines, SpATS 8.3 and LMMsolver 13.5 for a surface with random lines.

import { setThreadCount } from '@heterosis/linalg/threads';
import { fitTrial } from '../src/trials/fit-trial.ts';
import { referenceTrial } from '../src/trials/reference-trials.test-data.ts';
import type { TrialModel } from '../src/trials/trial-models.ts';

setThreadCount(1);
const plots = referenceTrial('sim.large');
const fits: [TrialModel, 'fixed' | 'random', number | null][] = [
  ['blocks', 'fixed', 0.8],
  ['blocks', 'random', null],
  ['psanova', 'random', 2],
  ['psanova', 'fixed', 2],
  ['ar1', 'random', null],
  ['ar1-units', 'random', 6],
  ['ar1-units', 'fixed', 6],
];
for (const [model, lines, goal] of fits) {
  const started = process.cpuUsage();
  const { logLikelihood } = fitTrial(plots, { model, lines });
  const { user, system } = process.cpuUsage(started);
  process.stdout.write(
    `${model}, lines ${lines}: ${((user + system) / 1e6).toFixed(2)} CPU s${goal === null ? '' : ` (goal ${goal})`}, log-likelihood ${logLikelihood.toFixed(4)}\n`,
  );
}
