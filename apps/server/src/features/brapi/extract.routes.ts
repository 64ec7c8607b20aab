import { COSTLY } from '../../platform/http/costly.ts';
import { Problem } from '../../platform/http/problem.ts';
import { createMadeFile, ploidyOf } from '../data/files/index.ts';
import { type Asked, askedInBody } from './asked.ts';
import { WRITING } from './collecting/collected.ts';
import { requireWriting } from './collecting/write-access.ts';
import { type SampleRow, sampleSegments } from './entities/samples.ts';
import { type VariantSegment, variantSegments } from './entities/variants.ts';
import { envelope, ignored, type Json } from './envelope.ts';
import { callsOfVariants, callTexts } from './genotype-text.ts';
import { splitId } from './ids.ts';
import { type BrapiContext, scopeOf } from './list.routes.ts';
import { complete, slice } from './list-entity.ts';
import type { BrapiScope } from './scope.ts';
import type { GenotypeStudy } from './studies.ts';

/** Genotypes of one extract, which is made while the client waits. */
const MOST_GENOTYPES = 50_000_000;

const KNOWN = [
  ...['variantSetDbIds', 'callSetDbIds', 'variantDbIds', 'studyDbIds', 'studyNames', 'trialDbIds', 'trialNames'],
  ...['programDbIds', 'programNames', 'commonCropNames'],
];

/** `POST /variantsets/extract`: some individuals and markers of a variant set as a new file of its project. */
export function registerExtract(context: BrapiContext): void {
  const { app, calls, services } = context;
  calls.add('POST', '/variantsets/extract');
  app.post('/variantsets/extract', { config: { ...WRITING, ...COSTLY } }, async (request) => {
    const asked = askedInBody(request.body, KNOWN);
    const scope = await scopeOf(context, request);
    const { study, samples, variants, variantCount } = await extractAsked(scope, asked);
    await requireWriting(services, scope.principal, study.project.id);
    const name = `${study.name.slice(0, 220)} (extract)`;
    const id = await createMadeFile(
      services,
      {
        projectId: study.project.id,
        organizationId: study.project.organization_id,
        folderId: study.file.folder_id,
        fileType: 'GENOTYPE',
        createdBy: scope.principal.userId,
      },
      {
        defaultName: `${name}.vcf`,
        contentType: 'text/plain',
        description: `${samples.length} individuals and ${variantCount} markers of ${study.file.name}, extracted by BrAPI.`,
        options: {},
        bytes: vcfOf(scope, study, samples, variants),
      },
    );
    return envelope(entryOf({ id, name }, study, { callSetCount: samples.length, variantCount }), [
      ...ignored(asked.unknown),
      'The file is being checked: the variant set appears in GET /variantsets in some seconds.',
    ]);
  });
}

interface Extract {
  study: GenotypeStudy;
  samples: SampleRow[];
  variants: VariantSegment[];
  variantCount: number;
}

async function extractAsked(scope: BrapiScope, asked: Asked): Promise<Extract> {
  if (!asked.has('variantSetDbId', 'studyDbId', 'studyName', 'callSetDbId', 'variantDbId'))
    throw new Problem('request/invalid', 'Name the variant set in variantSetDbIds.');
  const ids = asked.take('variantDbId');
  // Once each, in the order of the file.
  if (ids !== undefined)
    asked.set(
      'variantDbId',
      [...new Set(ids)].sort((a, b) => (splitId(a)?.row ?? 0) - (splitId(b)?.row ?? 0)),
    );
  const columns = (await sampleSegments(scope, asked)).filter(({ count }) => count > 0);
  const rows = (await variantSegments(scope, asked)).filter(({ count }) => count > 0);
  const [study, ...others] = new Set(
    rows.map((segment) => segment.study).filter((one) => columns.some((segment) => segment.study === one)),
  );
  if (study === undefined)
    throw new Problem('request/invalid', 'There is no variant set with these call sets and variants.');
  if (others.length > 0)
    throw new Problem('request/invalid', 'Several variant sets fit. Name one of them in variantSetDbIds.');
  const own = columns.filter((segment) => segment.study === study);
  const variants = rows.filter((segment) => segment.study === study);
  const variantCount = variants.reduce((sum, { count }) => sum + count, 0);
  const sampleCount = own.reduce((sum, { count }) => sum + count, 0);
  if (variantCount * sampleCount > MOST_GENOTYPES)
    throw new Problem('request/invalid', `An extract has at most ${MOST_GENOTYPES} genotypes. Ask for fewer variants.`);
  return { study, samples: await slice(own, 0, sampleCount), variants, variantCount };
}

/** Markers that are read at once. */
const BLOCK = 4_096;

async function* vcfOf(
  scope: BrapiScope,
  study: GenotypeStudy,
  samples: readonly SampleRow[],
  variants: readonly VariantSegment[],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const unknownString = Array<string>(ploidyOf(study.file)).fill('.').join('/');
  const texts = callTexts({ expandHomozygotes: true, sepPhased: '|', sepUnphased: '/', unknownString }, study.file);
  const names = samples.map(({ name }) => name).join('\t');
  yield encoder.encode(`##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${names}\n`);
  for (const segment of variants)
    for (let first = 0; first < segment.count; first += BLOCK) {
      const rows = await segment.read(first, Math.min(BLOCK, segment.count - first));
      let text = '';
      for await (const { variant, callOf } of callsOfVariants(scope, study, rows, texts)) {
        const { chromosome, positionBp, id, a1, a2 } = variant;
        text += `${chromosome}\t${positionBp}\t${id}\t${a1}\t${a2}\t.\t.\t.\tGT`;
        for (const { column } of samples) text += `\t${callOf(column)}`;
        text += '\n';
      }
      yield encoder.encode(text);
    }
}

/** The variant set as it will be once the file is checked. */
const entryOf = (
  { id, name }: { id: string; name: string },
  study: GenotypeStudy,
  { callSetCount, variantCount }: { callSetCount: number; variantCount: number },
): Json =>
  complete('variantsets', {
    ...{ variantSetDbId: id, variantSetName: name, studyDbId: id, referenceSetDbId: id, callSetCount, variantCount },
    additionalInfo: {
      trialDbId: study.project.id,
      programDbId: study.project.organization_id,
      extractedFrom: study.id,
    },
  });
