import { type CrossEllipse, ellipseOption, progenyOption, spreadOption } from '@heterosis/charts/crosses/cross-charts';
import { parentsOf, pedigreeOf } from '@heterosis/charts/crosses/cross-parents';
import { type Selection, usefulnessOf } from '@heterosis/charts/crosses/usefulness';
import type { CrossDetail, CrossingSimulationDetail, CrossRow } from '@heterosis/contracts/work/crossing-simulations';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure, type FigureTable } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { formatCount, formatShare, formatStatistic } from '../../../lib/format/format.ts';
import { withUnit } from '../../data/files/index.ts';
import { crossQuery } from './crossing-simulations.api.ts';

const HEIGHT = 360;
/** More ellipses cannot be told apart. */
const MOST_ELLIPSES = 12;

interface Shared {
  projectId: string;
  simulation: CrossingSimulationDetail;
  trait: string;
  selection: Selection;
  /** Of the trait. */
  unit: string | undefined;
}

/** Mean against spread of all crosses; a click chooses one. */
export function CrossSpread(
  props: Shared & {
    crosses: readonly CrossRow[];
    chosen: CrossRow | undefined;
    onChoose: (place: number) => void;
  },
) {
  const { simulation, trait, selection, unit, crosses, chosen, onChoose } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const option = useMemo(
    () =>
      spreadOption(
        crosses,
        selection,
        {
          mean: withUnit(t('crossing_simulations.mean'), unit),
          sd: withUnit(t('crossing_simulations.sd'), unit),
          usefulness: (value) => t('crossing_simulations.usefulnessLine', { value }),
        },
        colors,
      ),
    [crosses, selection, unit, colors, t],
  );
  return (
    <Figure
      title={t('crossing_simulations.plotTitle', { trait })}
      caption={t(selection.isLow ? 'crossing_simulations.plotCaptionLow' : 'crossing_simulations.plotCaption')}
      label={t('crossing_simulations.plotLabel', { count: crosses.length, trait })}
      option={option}
      rings={chosen ? [{ x: chosen.sd, y: chosen.mean, name: chosen.cross }] : []}
      height={HEIGHT}
      fileName={`${simulation.name} ${trait} crosses`}
      onPoint={([sd, mean]) => {
        const found = crosses.find((row) => row.sd === sd && row.mean === mean);
        if (found) onChoose(found.place);
      }}
      table={{
        head: [
          t('crossing_simulations.crossesHead'),
          t('crossing_simulations.mean'),
          t('crossing_simulations.sd'),
          t('crossing_simulations.usefulness'),
        ],
        rows: crosses.map((row) => [row.cross, row.mean, row.sd, usefulnessOf(row, selection)]),
        format: formatStatistic,
      }}
    />
  );
}

/** Than what progeny are better, by the number of parents. */
function betterThan(parents: number) {
  if (parents === 1) return 'crossing_simulations.betterThanOne';
  return parents === 2 ? 'crossing_simulations.better' : 'crossing_simulations.betterThanAll';
}

/** How the progeny of one cross are distributed, with its parents. */
export function CrossProgeny({ projectId, simulation, trait, selection, unit, cross }: Shared & { cross: CrossRow }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const query = useQuery(crossQuery(projectId, simulation.id, cross.place, trait));
  const { data } = query;
  const option = useMemo(
    () =>
      data &&
      progenyOption(
        data,
        cross,
        selection.isLow,
        {
          value: withUnit(trait, unit),
          count: t(data.histogram === null ? 'crossing_simulations.density' : 'crossing_simulations.count'),
          better: t(betterThan(parentsOf(cross).length)),
          others: t('crossing_simulations.others'),
          expected: t('crossing_simulations.expected'),
        },
        colors,
      ),
    [data, cross, selection.isLow, trait, unit, colors, t],
  );
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!data || !option) return <SkeletonLines lines={8} />;
  return (
    <Figure
      title={t('crossing_simulations.progenyTitle', { cross: cross.cross, trait })}
      caption={<ProgenyCaption cross={cross} isSimulated={data.histogram !== null} />}
      label={t(data.histogram === null ? 'crossing_simulations.exactLabel' : 'crossing_simulations.progenyLabel', {
        trait,
      })}
      option={option}
      height={HEIGHT}
      fileName={`${simulation.name} ${cross.cross} ${trait}`}
      table={data.histogram === null ? parentTable(cross, t) : binTable(data.histogram, t)}
    />
  );
}

function binTable({ from, to, counts }: NonNullable<CrossDetail['histogram']>, t: TFunction): FigureTable {
  const width = (to - from) / counts.length;
  return {
    head: [t('crossing_simulations.from'), t('crossing_simulations.to'), t('crossing_simulations.count')],
    rows: counts.map((count, bin) => [from + bin * width, from + (bin + 1) * width, count]),
    format: formatStatistic,
  };
}

/** What is drawn without simulated progeny: the parents and the exact figures. */
function parentTable(cross: CrossRow, t: TFunction): FigureTable {
  return {
    head: ['', t('crossing_simulations.value')],
    rows: [
      ...parentsOf(cross).map(({ name, value }) => [name, value]),
      [t('crossing_simulations.mean'), cross.mean],
      [t('crossing_simulations.sd'), cross.sd],
    ],
    format: formatStatistic,
  };
}

/** What the figure shows, the pedigree, and the relationship and segregating markers as far as they are known. */
function ProgenyCaption({ cross, isSimulated }: { cross: CrossRow; isSimulated: boolean }) {
  const { t } = useTranslation();
  const { kinship, segregating_markers: count } = cross;
  const known = [pedigreeOf(cross)];
  if (kinship !== null) known.push(t('crossing_simulations.kinshipIs', { value: formatStatistic(kinship) }));
  if (count !== null) known.push(t('crossing_simulations.segregate', { count }));
  const shown = { share: formatShare(cross.p_transgress), n: formatCount(cross.progeny) };
  return (
    <>
      {t(isSimulated ? 'crossing_simulations.progenyCaption' : 'crossing_simulations.exactCaption', shown)}{' '}
      {known.join('; ')}.
    </>
  );
}

/** Two traits at once: the most useful crosses and the chosen one. */
export function CrossEllipses(
  props: Shared & {
    other: string;
    otherUnit: string | undefined;
    crosses: readonly CrossRow[];
    others: readonly CrossRow[];
    chosen: CrossRow | undefined;
  },
) {
  const { simulation, trait, other, selection, unit, otherUnit, crosses, others, chosen } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const ellipses = useMemo((): CrossEllipse[] => {
    const sign = selection.isLow ? 1 : -1;
    const shown = [...crosses]
      .sort((a, b) => sign * (usefulnessOf(a, selection) - usefulnessOf(b, selection)))
      .slice(0, MOST_ELLIPSES);
    if (chosen && !shown.some(({ place }) => place === chosen.place)) shown.push(chosen);
    return shown.flatMap((row) => {
      const second = others.find(({ place }) => place === row.place);
      if (!second) return [];
      return [
        {
          name: row.cross,
          mean: [row.mean, second.mean],
          sd: [row.sd, second.sd],
          correlation: row.correlation ?? 0,
        },
      ];
    });
  }, [crosses, others, chosen, selection]);
  const option = useMemo(
    () => ellipseOption(ellipses, chosen?.cross, { x: withUnit(trait, unit), y: withUnit(other, otherUnit) }, colors),
    [ellipses, chosen, trait, other, unit, otherUnit, colors],
  );
  return (
    <Figure
      title={t('crossing_simulations.ellipseTitle', { a: trait, b: other })}
      caption={t('crossing_simulations.ellipseCaption', { count: Math.min(MOST_ELLIPSES, crosses.length) })}
      label={t('crossing_simulations.ellipseLabel')}
      option={option}
      height={HEIGHT}
      fileName={`${simulation.name} ${trait} ${other}`}
      table={{
        head: [
          t('crossing_simulations.crossesHead'),
          `${t('crossing_simulations.mean')} ${trait}`,
          `${t('crossing_simulations.mean')} ${other}`,
          `${t('crossing_simulations.sd')} ${trait}`,
          `${t('crossing_simulations.sd')} ${other}`,
          t('crossing_simulations.correlation', { trait: other }),
        ],
        rows: ellipses.map(({ name, mean, sd, correlation }) => [name, ...mean, ...sd, correlation]),
        format: formatStatistic,
      }}
    />
  );
}
