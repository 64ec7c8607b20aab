import { directed, type Selection, usefulnessOf } from '@heterosis/charts/crosses/usefulness';
import type { CrossingSimulationDetail, CrossRow } from '@heterosis/contracts/work/crossing-simulations';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import figureClasses from '../../../components/page/figures.module.css';
import { Headline } from '../../../components/page/headline.tsx';
import { ResultsSkeleton } from '../../../components/page/loading.tsx';
import { formatShare, formatStatistic } from '../../../lib/format/format.ts';
import { useUnitOf } from '../../data/files/index.ts';
import { TraitSelect, useTraitInAddress } from '../runs/index.ts';
import { BestProgeny } from './best-progeny.tsx';
import { CrossEllipses, CrossProgeny, CrossSpread } from './cross-figures.tsx';
import { CrossTable } from './cross-table.tsx';
import { crossesQuery } from './crossing-simulations.api.ts';
import classes from './simulated-crosses.module.css';

/** Figures and table of one trait; the cross that is looked at is in the address. */
export function SimulatedCrosses({
  projectId,
  simulation,
}: {
  projectId: string;
  simulation: CrossingSimulationDetail;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { parameters } = simulation.provenance;
  const unitOf = useUnitOf(projectId, undefined);
  const { trait, choose } = useTraitInAddress(simulation.traits);
  const { cross: wanted } = useSearch({ strict: false }) as { cross?: string };
  const [second, setSecond] = useState<string>();
  const other = second === trait ? undefined : second;
  const [fraction, setFraction] = useState(parameters.selected_fraction);
  const crosses = useQuery(crossesQuery(projectId, simulation.id, trait, other));
  const others = useQuery({
    ...crossesQuery(projectId, simulation.id, other ?? ''),
    enabled: other !== undefined,
  });
  const intensity = simulation.intensities.find((one) => one.fraction === fraction)?.intensity ?? 0;
  const isLow = parameters.low_traits.includes(trait);
  const selection = useMemo(
    (): Selection => ({ intensity, accuracy: parameters.accuracy, isLow }),
    [intensity, parameters.accuracy, isLow],
  );
  const rows = crosses.data;
  const chosen = useMemo(
    () => rows?.find(({ place }) => String(place) === wanted) ?? bestOf(rows, selection),
    [rows, wanted, selection],
  );
  const chooseCross = (place: number): void =>
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, trait, cross: String(place) }),
      replace: true,
      resetScroll: false,
    });
  if (crosses.error && !rows) return <ErrorNotice error={crosses.error} onRetry={() => void crosses.refetch()} />;
  if (!rows) return <ResultsSkeleton />;
  const unit = unitOf(trait);
  const shared = { projectId, simulation, trait, selection, unit };
  const best = bestOf(rows, selection);
  return (
    <>
      {best && (
        <Headline>
          {t(isLow ? 'crossing_simulations.headlineLow' : 'crossing_simulations.headline', {
            trait,
            cross: best.cross,
            value: [formatStatistic(usefulnessOf(best, selection)), unit].filter(Boolean).join(' '),
            mean: formatStatistic(best.mean),
            sd: formatStatistic(best.sd),
          })}
        </Headline>
      )}
      <div className={classes.choices}>
        <TraitSelect traits={simulation.traits} value={trait} onChange={choose} />
        <NativeSelect
          size="xs"
          aria-label={t('crossing_simulations.selected')}
          value={String(fraction)}
          onChange={(event) => setFraction(Number(event.currentTarget.value))}
          data={simulation.intensities.map((one) => ({
            value: String(one.fraction),
            label: t('crossing_simulations.selectedShare', {
              share: formatShare(one.fraction),
              intensity: formatStatistic(one.intensity),
            }),
          }))}
        />
        {simulation.traits.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t('crossing_simulations.compareWith')}
            value={other ?? ''}
            onChange={(event) => setSecond(event.currentTarget.value || undefined)}
            data={[
              { value: '', label: t('crossing_simulations.noSecond') },
              ...simulation.traits
                .filter((one) => one !== trait)
                .map((one) => ({ value: one, label: `${t('crossing_simulations.compareWith')}: ${one}` })),
            ]}
          />
        )}
      </div>
      <div className={figureClasses.figures}>
        <CrossSpread {...shared} crosses={rows} chosen={chosen} onChoose={chooseCross} />
        {chosen && <CrossProgeny {...shared} cross={chosen} />}
        {other !== undefined && others.data && (
          <CrossEllipses
            {...shared}
            other={other}
            otherUnit={unitOf(other)}
            crosses={rows}
            others={others.data}
            chosen={chosen}
          />
        )}
      </div>
      <CrossTable {...shared} other={other} crosses={rows} chosen={chosen} onChoose={chooseCross} />
      {simulation.progeny_url !== null && <BestProgeny {...shared} cross={wanted === undefined ? undefined : chosen} />}
    </>
  );
}

function bestOf(rows: readonly CrossRow[] | undefined, selection: Selection): CrossRow | undefined {
  return rows?.reduce<CrossRow | undefined>((best, row) => {
    if (best === undefined) return row;
    const [one, two] = [usefulnessOf(best, selection), usefulnessOf(row, selection)];
    return two !== one && directed(one, two, selection) === two ? row : best;
  }, undefined);
}
