import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../../components/page/notice.tsx';
import { RelativeTime } from '../../../../components/table/relative-time.tsx';
import classes from './suspects.module.css';
import type { AnalysedTrait } from './suspects.ts';

/** What the newest analysis of each trait finds wrong with the field, and where it is said in full. */
export function SuspectList(props: {
  projectId: string;
  analysed: readonly AnalysedTrait[];
  /** Numbers of plots that are to be seen. */
  onShow: (plots: readonly number[]) => void;
}) {
  const { projectId, analysed, onShow } = props;
  const { t } = useTranslation();
  const suspect = analysed.filter(
    ({ outliers, suspicions, set_aside }) => outliers.length + suspicions.length + set_aside.length > 0,
  );
  if (suspect.length === 0) return null;
  return (
    <Notice kind="warning">
      <ul className={classes.list} aria-label={t('trials.suspects.label')}>
        {suspect.map((one) => (
          <li key={one.trait}>
            <span>
              <strong>{one.trait}</strong>: {sentences(one).join(' ')}
            </span>
            {plotsOf(one).length > 0 && (
              <Button size="compact-xs" variant="default" onClick={() => onShow(plotsOf(one))}>
                {t('trials.suspects.show')}
              </Button>
            )}
            <span className="hx-muted">
              <Link
                className="hx-link"
                to="/projects/$projectId/trialAnalyses/$trialAnalysisId"
                params={{ projectId, trialAnalysisId: one.analysis_id }}
                search={{ trait: one.trait, environment: one.environment } as never}
              >
                {one.analysis_name}
              </Link>{' '}
              <RelativeTime date={one.analysed_at} />
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );

  function sentences({ outliers, suspicions, set_aside }: AnalysedTrait): string[] {
    return [
      ...(outliers.length === 0 ? [] : [t('trials.suspects.outliers', { count: outliers.length })]),
      ...suspicions.map(({ text }) => text),
      ...(set_aside.length === 0 ? [] : [t('trials.suspects.setAside', { count: set_aside.length })]),
    ];
  }
}

const plotsOf = ({ outliers, suspicions, set_aside }: AnalysedTrait): number[] => [
  ...new Set([
    ...outliers.map(({ plot }) => plot),
    ...suspicions.flatMap(({ plots }) => plots),
    ...set_aside.map(({ plot }) => plot),
  ]),
];
