import type { InputOf } from '@heterosis/contracts/endpoint';
import type { predictionsApi } from '@heterosis/contracts/endpoints/work/predictions';
import type { Factorial } from '@heterosis/contracts/work/predictions';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { requireResultKey } from '../runs/results/index.ts';
import { predictions } from './prediction.kind.ts';
import { placeOf } from './prediction-results.service.ts';
import { readFactorial } from './read-factorial.ts';

/** `GET …/predictions/{id}/factorial`. The header of the genotype file says which individuals are hybrids of whom. */
export async function getFactorial(
  { services, access: { projectId } }: ProjectCall,
  { id, query: { trait } }: InputOf<typeof predictionsApi.getFactorial>,
): Promise<Factorial> {
  const row = await getNamedRun(predictions, services.db, projectId, id);
  requireResultKey('The prediction', row, 'table');
  const place = placeOf(row, trait, 'query.trait');
  return await readFactorial(services, row, trait, place);
}
