import type { AllocationFigures, Concurrences, PlaceFigures } from '@heterosis/statgen/designs/design-types';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ExplainedLabel } from '../../../../components/page/explained.tsx';
import { formatCount, formatShare } from '../../../../lib/format/format.ts';
import classes from './new-trial.module.css';

/** How good the design of a place is, beside its map. */
export function DesignFigures(props: { figures: PlaceFigures; allocation: AllocationFigures | null }) {
  const { figures, allocation } = props;
  const { t } = useTranslation();
  const { efficiency, upperBound: bound, neighbours, shared, concurrences } = figures;
  const facts: [label: string, value: ReactNode, hint?: string][] = [
    [t('trials.figures.field'), t('trials.figures.rowsColumns', { rows: figures.rows, columns: figures.columns })],
    [t('trials.figures.plots'), formatCount(figures.plots)],
    ...(figures.fillers > 0 ? [[t('trials.figures.fillers'), formatCount(figures.fillers)] as [string, string]] : []),
  ];
  if (efficiency !== null) {
    facts.push([t('trials.figures.efficiency'), efficiency.toFixed(3), t('trials.figures.efficiencyHint')]);
    if (bound !== null && bound > 0) {
      facts.push([
        t('trials.figures.bound'),
        `${bound.toFixed(3)} (${formatShare(efficiency / bound)})`,
        t('trials.figures.boundHint'),
      ]);
    }
  }
  for (const [factor, met] of Object.entries(concurrences)) {
    const label = factor === 'rows' || factor === 'columns' ? factor : 'blocks';
    facts.push([t(`trials.figures.meet.${label}`), inWords(met), t('trials.figures.meetHint')]);
  }
  facts.push(
    [t('trials.figures.neighbours'), formatCount(neighbours.sameEntry), t('trials.figures.neighboursHint')],
    [
      t('trials.figures.shared'),
      t('trials.figures.inRowsColumns', { rows: formatCount(shared.rows), columns: formatCount(shared.columns) }),
    ],
  );
  if (neighbours.sameFamily > 0) facts.push([t('trials.figures.families'), formatCount(neighbours.sameFamily)]);
  if (allocation !== null) {
    facts.push([t('trials.figures.places'), inWords(allocation.lineConcurrences)]);
    if (allocation.expectedAccuracy !== null) {
      facts.push([
        t('trials.figures.accuracy'),
        allocation.expectedAccuracy.toFixed(2),
        t('trials.figures.accuracyHint'),
      ]);
    }
  }
  return (
    <dl className={classes.numbers} data-design-figures>
      {facts.map(([label, value, hint]) => (
        <div key={label}>
          <dt>
            <ExplainedLabel hint={hint}>{label}</ExplainedLabel>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** `0–1×`: how often two lines meet. */
const inWords = ({ min, max }: Concurrences): string => (min === max ? `${min}×` : `${min}–${max}×`);
