import { matchCrosses } from '@heterosis/analysis/crossing/match-crosses';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { crossingSimulationsApi } from '@heterosis/contracts/endpoints/work/crossing-simulations';
import { CROSSING_OPTIONS } from '@heterosis/contracts/options/crossing';
import { storedOf } from '@heterosis/contracts/options/define-options';
import {
  type CrossingSimulationDetail,
  type createCrossingSimulationBody,
  MAX_PROGENY_OF_RUN,
} from '@heterosis/contracts/work/crossing-simulations';
import { type Cross, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type * as z from 'zod';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import {
  derivedKey,
  type FileRow,
  ploidyOf,
  readSampleNames,
  requireDiploids,
  requireGenotype,
  requireReadyFile,
} from '../../data/files/index.ts';
import { readCatalogueOfProject } from '../../data/germplasm/index.ts';
import { noCross, renamesOf } from '../matching/index.ts';
import { requireMarkerEffects, requireModel, requireSamePloidy, trainedTraits } from '../models/index.ts';
import { createNamedRun } from '../runs/kind/index.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';
import { ensurePhasing } from './phase-first.ts';

/** Checks model and files, and finds the parents, before anything is written. */
export async function createCrossingSimulation(
  { services, access: { projectId, organizationId }, principal }: ProjectCall,
  { body }: InputOf<typeof crossingSimulationsApi.createRun>,
): Promise<CrossingSimulationDetail> {
  const { db } = services;
  const model = await requireModel(db, projectId, body.model_id);
  requireMarkerEffects(model);
  const traits = requireTrainedTraits(trainedTraits(model), body.traits, 'traits');
  const lowTraits = requireTrainedTraits(traits, body.low_traits, 'low_traits');
  const genotypeId = body.genotype_id ?? model.genotype_id;
  if (genotypeId === null)
    throw new Problem(
      'models/input-gone',
      'The genotype that this model was trained on was deleted. Choose the genotype file of the parents.',
      { invalidParams: [{ name: 'body.genotype_id', reason: 'Choose a genotype file' }] },
    );
  const genotype = await requireGenotype(db, projectId, genotypeId);
  await requireSamePloidy(db, model, genotype);
  requirePairing(genotype, body);
  const crossingTable = await requireReadyFile(db, projectId, body.crossing_table_id, 'CROSSING_TABLE');
  const linkageMap =
    body.linkage_map_id == null ? null : await requireReadyFile(db, projectId, body.linkage_map_id, 'LINKAGE_MAP');
  const named = await requireCrosses(services, genotype, crossingTable, body);
  const phasing = { map: linkageMap, organizationId, requestedBy: principal.userId };
  const run = {
    project_id: projectId,
    name: body.name,
    traits,
    seed: body.seed,
    parameters: {
      ...storedOf(CROSSING_OPTIONS, body),
      low_traits: lowTraits,
      bp_per_cm: linkageMap === null ? body.bp_per_cm : null,
      ...(ploidyOf(genotype) === 2 ? {} : { ploidy: ploidyOf(genotype) }),
      ...named,
    },
    model_id: model.id,
    genotype_id: genotype.id,
    crossing_table_id: crossingTable.id,
    linkage_map_id: linkageMap?.id ?? null,
    created_by: principal.userId,
  };
  return await createNamedRun(services, crossingSimulations, run, async (trx) => {
    if (body.phase_first) await ensurePhasing(services, trx, genotype, phasing);
  });
}

/**
 * The requested traits without duplicates, or all if none is named; refuses a trait that the model has not trained.
 */
function requireTrainedTraits(
  trained: readonly string[],
  wanted: readonly string[] | undefined,
  field: string,
): string[] {
  for (const trait of wanted ?? [])
    if (!trained.includes(trait))
      throw new Problem(
        'crossing/trait-not-trained',
        `The model has no trained trait "${trait}" here. Its traits are ${trained.join(', ')}.`,
        {
          details: { trait, traits: trained },
          invalidParams: [{ name: `body.${field}`, reason: `There is no "${trait}"` }],
        },
      );
  return [...new Set(wanted ?? trained)];
}

const refused = (field: string, message: string, reason: string): Problem =>
  new Problem('request/invalid', message, { invalidParams: [{ name: `body.${field}`, reason }] });

const F1_ONLY = 'Of polyploids the F1 of two plants and the selfed progeny of one are predicted.';

/** Crosses of polyploids without a type are F1s. */
const isF1 = ({ type, parent3 }: Cross): boolean =>
  parent3 === undefined && (type === 'biparental' || type === 'self' || type === 'F1');

/** Refuses what is not known of the meiosis of these plants. */
function requirePairing(genotype: FileRow, body: z.output<typeof createCrossingSimulationBody>): void {
  const ploidy = ploidyOf(genotype);
  if (body.pairing === 'quadrivalent' && ploidy !== 4)
    throw refused(
      'pairing',
      `Quadrivalents are of tetraploids, and the plants of "${genotype.name}" have ${ploidy} copies of each chromosome.`,
      'Not in these plants',
    );
  if (ploidy === 2 && body.preferential > 0)
    throw refused('preferential', 'The two homologs of diploids always pair.', 'Not in diploids');
  if (ploidy === 2 && body.phase === 'unknown')
    throw refused(
      'phase',
      'Crosses of diploids need the phase of their parents: phase the genotype.',
      'Not in diploids',
    );
  if (ploidy === 2) return;
  if (body.phase_first)
    requireDiploids(genotype, 'Phasing', 'Leave out `phase_first`: choose a VCF with the homologs in order.');
  if (body.population !== 'F1') throw refused('population', `${F1_ONLY} Choose F1.`, 'Not of polyploids');
  if (body.map_function !== 'haldane')
    throw refused('map_function', 'Polyploids recombine by the Haldane map function.', 'Not of polyploids');
}

/** Refuses a run in which no cross has both parents genotyped, and a run that would simulate too many progeny. */
async function requireCrosses(
  { db, storage }: Services,
  genotype: FileRow,
  crossingTable: FileRow,
  { renames, progeny, map_function }: z.output<typeof createCrossingSimulationBody>,
): Promise<ReturnType<typeof renamesOf>> {
  const table = unpackRecord<Cross[]>(await readObject(storage, derivedKey(crossingTable, 'table')));
  const samples = await readSampleNames(storage, genotype);
  const all = [...samples, ...table.flatMap(parentsOfCross)];
  const catalogue = await readCatalogueOfProject(db, genotype.project_id, all);
  const { crosses, names } = matchCrosses(table, samples, renames, catalogue);
  if (crosses.length === 0) throw new Problem('match/nothing-in-common', noCross(genotype, crossingTable));
  const named = renamesOf(names, renames);
  const other = ploidyOf(genotype) === 2 ? undefined : crosses.find((cross) => !isF1(cross));
  if (other !== undefined)
    throw refused('crossing_table_id', `${F1_ONLY} "${other.name}" is another kind of cross.`, 'Not of polyploids');
  if (map_function !== 'haldane') return named;
  const total = crosses.reduce((sum, cross) => sum + (cross.progenyCount ?? progeny), 0);
  if (total > MAX_PROGENY_OF_RUN)
    throw new Problem(
      'crossing/too-many-progeny',
      `The ${groupedNumber(crosses.length)} crosses would have ${groupedNumber(total)} progeny, and a run simulates at most ${groupedNumber(MAX_PROGENY_OF_RUN)}. Ask for fewer progeny, or split the crossing table.`,
      { invalidParams: [{ name: 'body.progeny', reason: 'Too many in all' }] },
    );
  return named;
}
