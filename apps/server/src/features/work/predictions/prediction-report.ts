import type { Services } from '../../../platform/http/app.ts';
import { hasColumn, numberOrNull } from '../../../platform/result-tables/read-table-page.ts';
import { breedingValueParts, type ReportPart, type ReportTraits } from '../runs/report/index.ts';
import { type PredictionRow, standardErrorOf } from './predictions.queries.ts';
import { readFactorial } from './read-factorial.ts';

const TRAITS = 8;
/** Half of an interval of 95 % in standard errors. */
const Z_95 = 1.96;

type Row = Record<'individual' | 'gebv' | 'reliability' | 'se', string | number | null>;

/** Of each trait the ranking with its intervals, the distribution, and the best. */
export async function predictionReport(
  services: Services,
  prediction: PredictionRow,
  names: ReportTraits,
): Promise<ReportPart[]> {
  const { withUnit, isLow } = names;
  const { tables } = services;
  const { traits, result_keys } = prediction;
  const parts: ReportPart[] = [];
  const { table: key } = result_keys;
  if (key === undefined) return parts;
  const hasSe = await hasColumn(tables, key, 'se_0');
  for (const [t, trait] of traits.slice(0, TRAITS).entries()) {
    const found = await tables.query<Row>(
      key,
      (table) =>
        `select individual, gebv_${t} as gebv, reliability_${t} as reliability, ${standardErrorOf(t, table, hasSe)} as se
         from ${table} order by rank_${t}`,
    );
    const rows = found.map(({ individual, gebv, reliability, se }) => ({
      ...{ individual: String(individual), gebv: Number(gebv) },
      ...{ reliability: numberOrNull(reliability), se: numberOrNull(se) },
    }));
    const hasIntervals = rows.some(({ se }) => se !== null);
    const half = (se: number | null): number | null => (se === null ? null : Z_95 * se);
    parts.push(
      {
        what: 'figure',
        title: `${trait}: ranking`,
        caption: hasIntervals
          ? 'GEBVs in their order, with intervals of 95 % from their prediction error variances.'
          : 'GEBVs in their order.',
        width: 'whole',
        height: 175,
        figure: {
          chart: 'means',
          given: {
            ...{ x: 'Individuals by GEBV', y: withUnit('GEBV', trait), plain: 'Individuals', marked: 'Checks' },
            points: rows.map(({ individual, gebv, se }) => ({
              ...{ name: individual, mean: gebv, se: half(se), isMarked: false },
            })),
          },
        },
      },
      ...breedingValueParts(names, trait, {
        ...{ rows, title: 'distribution', caption: `GEBVs of ${rows.length} individuals.` },
        columns: [
          { title: '± 95 %', value: ({ se }) => half(se) },
          { title: 'Reliability', value: ({ reliability }) => reliability },
        ],
      }),
    );
    parts.push(...(await hybridsOf(services, prediction, { trait, place: t, isLow: isLow(trait) })));
  }
  return parts;
}

/** Females against males, where the individuals are hybrids. */
async function hybridsOf(
  services: Services,
  prediction: PredictionRow,
  { trait, place, isLow }: { trait: string; place: number; isLow: boolean },
): Promise<ReportPart[]> {
  const factorial = await readFactorial(services, prediction, trait, place);
  if (factorial.hybrids.length === 0) return [];
  const which = factorial.hybrids.some(({ genotypic }) => genotypic !== null) ? 'genotypic' : 'gebv';
  return [
    {
      what: 'figure',
      title: `${trait}: hybrids`,
      caption: `${which === 'gebv' ? 'GEBVs' : 'Genotypic values'} of ${factorial.hybrids.length} hybrids; females in rows, males in columns, the best first.`,
      width: 'whole',
      height: 340,
      figure: { chart: 'factorial', given: { factorial, which, isLow } },
    },
  ];
}
