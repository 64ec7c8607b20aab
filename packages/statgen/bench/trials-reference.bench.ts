// Every model of all thirteen reference trials beside the exact results in reference/trials, within its tolerances.

import { setThreadCount } from '@heterosis/linalg/threads';
import { fitTrial } from '../src/trials/fit-trial.ts';
import { differencesOf } from '../src/trials/reference-differences.test-data.ts';
import { BLOCK_MODELS, referenceFits, referenceTrial } from '../src/trials/reference-trials.test-data.ts';

setThreadCount(1);
let fits = 0;
let outside = 0;
for (const trial of Object.keys(BLOCK_MODELS)) {
  for (const reference of referenceFits(trial)) {
    const started = process.cpuUsage();
    const plots = referenceTrial(trial, reference.checks);
    const fit = fitTrial(plots, reference);
    const { user, system } = process.cpuUsage(started);
    const isPair = reference.lines === 'random' && reference.checks.length === 0 && trial !== 'sim.large';
    const fixed = isPair ? fitTrial(plots, { model: reference.model, lines: 'fixed' }) : null;
    const found = differencesOf(reference, fit, fixed);
    const isWithin =
      Math.abs(found.logLikelihood) < 1e-6 &&
      found.variances < 1e-5 &&
      found.informationErrors < 1e-5 &&
      found.effects < 1e-6 &&
      found.standardErrors < 1e-5 &&
      found.covariance < 1e-5 &&
      found.effectiveDimensions < 1e-4 &&
      found.heritability < 1e-6;
    fits++;
    if (!isWithin) outside++;
    const figures = Object.entries(found).map(([name, value]) => `${name} ${value.toExponential(1)}`);
    process.stdout.write(
      `${isWithin ? ' ' : '!'} ${trial} ${reference.name} ${reference.lines}: ${figures.join('  ')}  ${((user + system) / 1e6).toFixed(2)} CPU s\n`,
    );
  }
}
process.stdout.write(`${fits} fits, ${outside} outside of the tolerances\n`);
process.exit(outside === 0 ? 0 : 1);
