import type { ChosenLoci, Passport, PassportChosenMarker } from '@heterosis/contracts/data/passports';
import { MAX_CHOSEN_MARKERS } from '@heterosis/contracts/data/passports';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { passportsApi } from '@heterosis/contracts/endpoints/data/passports';
import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { chromosomeKey } from '@heterosis/file-formats/tables/linkage-map/chromosome-name';
import { dosageClasses, NO_CLASS } from '@heterosis/statgen/genotypes/dosage-classes';
import { publishEvent } from '../../../platform/events/events.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import { findNamedRun, type RunKindDefinition } from '../../work/runs/kind/index.ts';
import { type FileRow, findFile, readCalls, readMarkers, readSampleNames, requireGenotype } from '../files/index.ts';
import { listRunsOn, type OccurrencesOfLine, runTables } from '../germplasm/index.ts';
import { findChosenLoci, type StoredLocus, type StoredMarker, storeChosenLoci } from './passports.queries.ts';

/** What the wiring supplies. */
interface WithKinds {
  kinds: readonly RunKindDefinition[];
}

/** GWAS and models that are asked for effects, the newest on the genotype. */
const EFFECT_RUNS = 20;

/** `GET …/passport_loci`. */
export async function readChosenLoci({ services: { db }, access: { projectId } }: ProjectCall): Promise<ChosenLoci> {
  const chosen = await findChosenLoci(db, projectId);
  const file = chosen && (await findFile(db, projectId, chosen.genotype_id));
  if (chosen === undefined || file === undefined)
    return { genotype: null, loci: [], markers: 0, chosen_by: null, chosen_at: null };
  const { loci, chosen_by, chosen_at } = chosen;
  return {
    ...{ genotype: { id: file.id, name: file.name }, loci: loci.map(({ locus }) => locus) },
    ...{ markers: loci.reduce((sum, { markers }) => sum + markers.length, 0), chosen_by, chosen_at },
  };
}

/** `PUT …/passport_loci`. */
export async function chooseLoci(
  call: ProjectCall,
  { body: { genotype_id: genotypeId, loci } }: InputOf<typeof passportsApi.chooseLoci>,
): Promise<ChosenLoci> {
  const { services, access, principal } = call;
  const { projectId, organizationId } = access;
  const file = await requireGenotype(services.db, projectId, genotypeId);
  const found =
    loci.length === 0 ? [] : lociIn(await readMarkers(services.storage, file), [...new Set(loci)], file.name);
  await services.db.transaction().execute(async (trx) => {
    await storeChosenLoci(trx, { projectId, genotypeId, chosenBy: principal.userId, loci: found });
    await publishEvent(trx, { type: 'project', id: projectId, project_id: projectId, organization_id: organizationId });
  });
  return await readChosenLoci(call);
}

const REGION = /^(.+):(\d[\d,]*)\s*(?:-|–|\.\.)\s*(\d[\d,]*)$/;

/** The markers that the texts of loci mean: a marker of this name, otherwise those of a region. */
function lociIn(markers: MarkerTable, texts: readonly string[], file: string): StoredLocus[] {
  const placeOf = new Map(markers.id.map((id, place) => [id, place]));
  const at = (place: number): StoredMarker => ({
    ...{
      id: markers.id[place] ?? '',
      chr: markers.chromosome[place] ?? '',
      pos: markers.positionBp[place] ?? 0,
      place,
    },
    ...{ a1: markers.a1[place] ?? '', a2: markers.a2[place] ?? '' },
  });
  const loci = texts.map((locus): StoredLocus => {
    const place = placeOf.get(locus);
    if (place !== undefined) return { locus, markers: [at(place)] };
    const [, chromosome, ...ends] = REGION.exec(locus) ?? [];
    if (chromosome === undefined) return { locus, markers: [] };
    const key = chromosomeKey(chromosome);
    const [start = 0, end = 0] = ends.map((text) => Number(text.replaceAll(',', ''))).toSorted((a, b) => a - b);
    const within = [...markers.id.keys()].filter((one) => {
      const pos = markers.positionBp[one] ?? 0;
      return pos >= start && pos <= end && pos > 0 && chromosomeKey(markers.chromosome[one] ?? '') === key;
    });
    return { locus, markers: within.map(at) };
  });
  const unknown = loci.flatMap((one) => (one.markers.length === 0 ? [one.locus] : []));
  if (unknown.length > 0)
    throw new Problem(
      'passports/unknown-loci',
      `"${file}" has ${unknown.length === 1 ? 'no marker' : 'no markers'} for ${unknown.map((one) => `"${one}"`).join(', ')}. Write the name of a marker as the file has it, or a region as in 3:1200000-1500000 (chromosome, first and last bp).`,
      { details: { loci: unknown } },
    );
  const count = loci.reduce((sum, one) => sum + one.markers.length, 0);
  if (count > MAX_CHOSEN_MARKERS)
    throw new Problem(
      'request/too-large',
      `These loci have ${count} markers, and passports show at most ${MAX_CHOSEN_MARKERS}. Choose shorter regions.`,
    );
  return loci;
}

/** What a line has at the loci chosen for its project; null where none are. */
export async function readChosen(
  call: Pick<ProjectCall, 'services'> & WithKinds,
  projectId: string,
  { writtenIn }: OccurrencesOfLine,
): Promise<Passport['chosen']> {
  const { db, storage } = call.services;
  const chosen = await findChosenLoci(db, projectId);
  const file = chosen && (await findFile(db, projectId, chosen.genotype_id));
  if (chosen === undefined || file === undefined || file.meta.keys?.bed === undefined) return null;
  const samples = await readSampleNames(storage, file);
  const meant = new Set(writtenIn.get(file.id));
  const own = samples.findIndex((name) => meant.has(normalizeName(name)));
  const effects = await effectsOf(call, projectId, chosen);
  const loci = await Promise.all(
    chosen.loci.map(async ({ locus, markers }) => {
      const { genotypes, alike } = await readLocus(call, file, markers, own);
      return {
        locus,
        markers: markers.map(
          ({ id, chr, pos }, m): PassportChosenMarker => ({
            ...{ marker: id, chr, pos, genotype: genotypes[m] ?? null, effects: effects.get(id) ?? [] },
          }),
        ),
        alike,
      };
    }),
  );
  const individual = samples[own] ?? null;
  return { genotype: { id: file.id, name: file.name }, individual, panel: samples.length, loci };
}

/** Genotypes of an individual at the markers of a locus, and how many others have the same at all of them. */
async function readLocus(
  { services: { storage } }: Pick<ProjectCall, 'services'>,
  file: FileRow,
  markers: readonly StoredMarker[],
  own: number,
): Promise<{ genotypes: (string | null)[]; alike: number | null }> {
  if (own < 0) return { genotypes: [], alike: null };
  const genotypes: (string | null)[] = [];
  let like: Uint8Array | undefined;
  let hasCalls = false;
  // Markers of a region lie beside each other in the file.
  const first = Math.min(...markers.map(({ place }) => place));
  const count = Math.max(...markers.map(({ place }) => place)) - first + 1;
  const isRun = count === markers.length;
  const together = isRun ? await readCalls(storage, file, { first, count }) : undefined;
  for (const { place, a1, a2 } of markers) {
    const calls = together ?? (await readCalls(storage, file, { first: place, count: 1 }));
    const { panelSize } = calls;
    const classes = new Uint8Array(panelSize);
    dosageClasses(calls, together === undefined ? 0 : place - first, { panelSize }, classes);
    like ??= new Uint8Array(panelSize).fill(1);
    const found = classes[own] ?? NO_CLASS;
    if (found !== NO_CLASS) {
      hasCalls = true;
      for (const [i, other] of classes.entries()) if (other !== found) like[i] = 0;
    }
    genotypes.push(found === NO_CLASS ? null : inAlleles(a1, a2, found, calls.ploidyAt(own)));
  }
  return { genotypes, alike: hasCalls && like ? like.reduce((sum, one) => sum + one, 0) - 1 : null };
}

const inAlleles = (a1: string, a2: string, copies: number, ploidy: number): string =>
  [...Array<string>(ploidy - copies).fill(a1), ...Array<string>(copies).fill(a2)].join('/');

/** Of each marker and trait what the newest GWAS says where it is significant, otherwise the newest model. */
async function effectsOf(
  { services, kinds }: Pick<ProjectCall, 'services'> & WithKinds,
  projectId: string,
  { genotype_id, loci }: { genotype_id: string; loci: readonly StoredLocus[] },
): Promise<Map<string, PassportChosenMarker['effects']>> {
  const { db } = services;
  const knowing = kinds.filter(({ effectsAt }) => effectsAt !== undefined);
  const runs = (await listRunsOn(db, runTables(knowing), [genotype_id])).slice(0, EFFECT_RUNS);
  const markers = [...new Map(loci.flatMap((one) => one.markers.map((marker) => [marker.id, marker]))).values()];
  const ids = markers.map(({ id }) => id);
  const byRun = await Promise.all(
    runs.map(async ({ id, name, kind }) => {
      const definition = knowing.find((one) => one.kind === kind);
      const row = definition && (await findNamedRun(definition, db, projectId, id));
      const found = row && (await definition?.effectsAt?.(services, row, ids));
      return (found ?? []).map(
        (one) => ({ ...one, run: { id, name }, kind: kind === 'gwas' ? kind : 'model' }) as const,
      );
    }),
  );
  // A GWAS before a model; of each the newest first, as they were listed.
  const all = byRun.flat().toSorted((a, b) => Number(a.kind === 'model') - Number(b.kind === 'model'));
  const settings = await findTraitSettings(db, projectId, [...new Set(all.map(({ trait }) => trait))]);
  const isLow = new Set(settings.flatMap(({ name, direction }) => (direction === 'lower' ? [name] : [])));
  const alleles = new Map(markers.map(({ id, a1, a2 }) => [id, [a1, a2]]));
  const result = new Map<string, PassportChosenMarker['effects']>();
  for (const { marker, trait, a1, a2, effect, run, kind } of all) {
    const known = result.get(marker) ?? [];
    const isSame = alleles.get(marker)?.includes(a1) && alleles.get(marker)?.includes(a2);
    if (effect === 0 || !isSame || known.some((one) => one.trait === trait)) continue;
    const isA2 = effect > 0 !== isLow.has(trait);
    result.set(marker, [...known, { run, kind, trait, favourable: isA2 ? a2 : a1, effect: isA2 ? effect : -effect }]);
  }
  return result;
}
