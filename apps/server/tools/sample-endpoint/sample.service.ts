import type { InputOf } from '@heterosis/contracts/endpoint';
import type { Call, Download } from '../../src/platform/http/bind.ts';
import type { sampleApi } from './sample.ts';

export function weighSeed(
  _call: Call,
  { lot, query: { unit }, body: { grams } }: InputOf<typeof sampleApi.weighSeed>,
): { lot: number; weight: number; unit: string } {
  return { lot, weight: unit === 'kg' ? grams / 1000 : grams, unit };
}

export function printLabel(_call: Call, { lot }: InputOf<typeof sampleApi.printLabel>): Download {
  return { fileName: `lot ${lot}.csv`, bytes: [`lot\n`, `${lot}\n`] };
}
